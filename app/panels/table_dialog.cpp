// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/table_dialog.h"

#include "app/style/fonts.h"
#include "core/base/unit_text.h"
#include "core/io/table_writer.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

namespace ridgepoint::app {

std::vector<QStringList> csvRows(const QString& text)
{
    std::vector<QStringList> rows;
    QStringList row;
    QString field;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (quoted) {
            if (c != QLatin1Char('"'))
                field += c;
            else if (i + 1 < text.size() && text[i + 1] == QLatin1Char('"'))
                field += text[++i];
            else
                quoted = false;
        } else if (c == QLatin1Char('"')) {
            quoted = true;
        } else if (c == QLatin1Char(',')) {
            row << field;
            field.clear();
        } else if (c == QLatin1Char('\n')) {
            row << field;
            field.clear();
            rows.push_back(row);
            row.clear();
        } else if (c != QLatin1Char('\r')) {
            field += c;
        }
    }
    if (!field.isEmpty() || !row.isEmpty())
        rows.push_back(row << field);
    return rows;
}

TableDialog::TableDialog(const Figure& figure, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("%1 as a table").arg(QString::fromStdString(titleOf(figure))));
    resize(720, 460);
    const QString csv = QString::fromStdString(figureCsv(figure));
    const auto rows = csvRows(csv);
    auto* table = new QTableWidget(this);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(24);
    table->setAccessibleName(QString::fromStdString(descriptionOf(figure)));
    if (!rows.empty()) {
        table->setColumnCount(int(rows.front().size()));
        table->setRowCount(int(rows.size()) - 1);
        table->setHorizontalHeaderLabels(rows.front());
        for (int r = 0; r < table->rowCount(); ++r)
            for (int c = 0; c < table->columnCount() && c < int(rows[std::size_t(r) + 1].size()); ++c) {
                const QString& value = rows[std::size_t(r) + 1][c];
                bool number = false;
                const double parsed = value.toDouble(&number);
                auto* item = new QTableWidgetItem(number ? QString::fromStdString(numberText(parsed, 5)) : value);
                item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
                if (number)
                    item->setFont(numberFont());
                table->setItem(r, c, item);
                if (r == 0)
                    table->horizontalHeaderItem(c)->setTextAlignment(Qt::Alignment(item->textAlignment()));
            }
        table->resizeColumnsToContents();
        table->horizontalHeader()->setStretchLastSection(true);
    }
    auto* note = new QLabel(QString::fromStdString(descriptionOf(figure)));
    note->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* copy = buttons->addButton(tr("Copy table"), QDialogButtonBox::ActionRole);
    connect(copy, &QPushButton::clicked, this, [csv] { QApplication::clipboard()->setText(csv); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(note);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
}

} // namespace ridgepoint::app
