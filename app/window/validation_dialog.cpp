// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/validation_dialog.h"

#include "app/charts/chart_view.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"
#include "core/figures/validation.h"
#include "core/validation/accuracy.h"
#include "core/validation/validators.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QThread>
#include <algorithm>
#include <cmath>

namespace ridgepoint::app {

namespace {

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

QString percent(double share)
{
    return (share < 0 ? QStringLiteral("−") : QString()) + QString::number(100 * std::abs(share), 'f', 1) + QStringLiteral("\u00a0%");
}

QStringList cellsOf(const QString& name, const Accuracy& a)
{
    return {name, QString::number(a.count), QString::number(a.unpredicted), percent(a.mean), percent(a.median), percent(a.p90),
            (a.bias < 0 ? QString() : QStringLiteral("+")) + percent(a.bias), a.coverage ? percent(*a.coverage) : QString(),
            a.bandWidth ? percent(*a.bandWidth) : QString()};
}

QStringList cellsOf(const QString& name, const Verdicts& v)
{
    const auto share = [](std::size_t right, std::size_t all) { return all == 0 ? QString() : percent(double(right) / double(all)); };
    return {name, QString::number(v.yes + v.no), QString::number(v.unpredicted), share(v.yesRight, v.yes), share(v.noRight, v.no)};
}

/// The mark that a group has in the figure: the table is its legend.
QIcon markOf(const LineFigure& figure, const QString& group)
{
    constexpr double sharp = 2;   // pixels per point, so that it is not blurred on a fine screen
    QPixmap pixmap(32, 32);
    pixmap.setDevicePixelRatio(sharp);
    pixmap.fill(Qt::transparent);   // groups without a mark of their own are named in the same column
    for (const Series& series : figure.series)
        if (series.marks && text(series.name) == group) {
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            paintMark(painter, {8, 8}, series.configuration, 10, tokens());
            break;
        }
    return QIcon(pixmap);
}

} // namespace

ValidationDialog::ValidationDialog(const Presets& presets, QWidget* parent)
    : QDialog(parent), m_presets(std::make_shared<const Presets>(presets)), m_kind(new QComboBox), m_quantity(new QComboBox),
      m_key(new QComboBox), m_file(new QLineEdit), m_calibration(new QCheckBox(tr("&Use what was measured on the very device"))),
      m_run(new QPushButton(tr("&Predict"))), m_status(new QLabel), m_chart(new ChartView), m_table(new QTableWidget)
{
    setWindowTitle(tr("Accuracy against measurements"));
    resize(1240, 680);
    for (const Validator& validator : validators()) {
        m_kind->addItem(text(validator.id));
        m_kind->setItemData(m_kind->count() - 1, text(validator.what), Qt::ToolTipRole);
    }
    m_kind->setAccessibleName(tr("What the file holds"));
    m_quantity->setAccessibleName(tr("Quantity"));
    m_key->setAccessibleName(tr("Groups"));
    m_file->setAccessibleName(tr("File of measurements"));
    m_file->setPlaceholderText(tr("CSV file of measurements"));
    m_calibration->setChecked(true);
    m_status->setWordWrap(true);
    m_run->setDefault(true);
    auto* browse = new QPushButton(tr("&Choose…"));
    auto* top = new QHBoxLayout;
    top->addWidget(m_kind);
    top->addWidget(m_file, 1);
    top->addWidget(browse);
    top->addWidget(m_calibration);
    top->addWidget(m_run);

    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->setAccessibleName(tr("Errors by group"));
    auto* choices = new QHBoxLayout;
    choices->addWidget(new QLabel(tr("Quantity")));
    choices->addWidget(m_quantity, 1);
    choices->addWidget(new QLabel(tr("by")));
    choices->addWidget(m_key, 1);
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(choices);
    column->addWidget(m_table, 1);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(m_chart);
    splitter->addWidget(right);
    splitter->setSizes({520, 700});
    splitter->setChildrenCollapsible(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addWidget(m_status);
    layout->addWidget(splitter, 1);
    layout->addWidget(buttons);

    connect(browse, &QPushButton::clicked, this, [this] {
        const QString file = QFileDialog::getOpenFileName(this, tr("File of measurements"), QFileInfo(m_file->text()).absolutePath(),
                                                          tr("Comma separated values (*.csv);;All files (*)"));
        if (!file.isEmpty())
            m_file->setText(file);
    });
    connect(m_run, &QPushButton::clicked, this, &ValidationDialog::start);
    connect(m_quantity, &QComboBox::activated, this, [this] {
        fillKeys();
        showResult();
    });
    connect(m_key, &QComboBox::activated, this, &ValidationDialog::showResult);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_status->setText(tr("Every row is predicted without reading its measurement, then held against it. Columns are described in the command "
                         "line's README."));
    showResult();
    m_file->setFocus();
}

ValidationDialog::~ValidationDialog()
{
    if (m_worker)
        m_worker->wait();
}

QString ValidationDialog::status() const { return m_status->text(); }

void ValidationDialog::run(const QString& kind, const QString& file)
{
    m_kind->setCurrentText(kind);
    m_file->setText(file);
    start();
}

void ValidationDialog::start()
{
    if (m_worker)
        return;
    const auto all = validators();
    const auto chosen = std::size_t(std::max(0, m_kind->currentIndex()));
    if (chosen >= all.size())
        return;
    if (m_file->text().trimmed().isEmpty()) {
        m_status->setText(tr("Choose a CSV file of measurements first."));
        m_file->setFocus();
        return;
    }
    m_run->setEnabled(false);
    m_status->setText(tr("Predicting…"));
    ValidationOptions options;
    options.calibration = m_calibration->isChecked();
    const auto result = std::make_shared<Result<std::vector<Prediction>>>();
    const std::string file = m_file->text().trimmed().toStdString();
    m_worker = QThread::create([result, file, options, presets = m_presets, predict = all[chosen].predict] {
        const Result<CsvTable> table = readCsv(file);
        *result = table ? predict(*table, *presets, options) : Result<std::vector<Prediction>>(fail(table.error()));
    });
    m_worker->setParent(this);
    connect(m_worker, &QThread::finished, this, [this, result] {
        m_worker->deleteLater();
        m_worker = nullptr;
        m_run->setEnabled(true);
        take(*result);
        Q_EMIT finished();
    });
    m_worker->start();
}

void ValidationDialog::take(const Result<std::vector<Prediction>>& predictions)
{
    if (!predictions) {
        m_status->setText(text(predictions.error().text()));
        return;
    }
    m_predictions = *predictions;
    std::size_t missing = 0;
    for (const Prediction& one : m_predictions)
        missing += one.value ? 0u : 1u;
    m_status->setText(missing == 0 ? tr("%1 predictions.").arg(m_predictions.size())
                                   : tr("%1 predictions; %2 could not be made, which counts as an error of 100 %.")
                                         .arg(m_predictions.size() - missing)
                                         .arg(missing));
    fillQuantities();
    fillKeys();
    showResult();
}

void ValidationDialog::fillQuantities()
{
    m_quantity->clear();
    for (const Prediction& one : m_predictions)
        if (m_quantity->findText(text(one.quantity)) < 0)
            m_quantity->addItem(text(one.quantity));
}

void ValidationDialog::fillKeys()
{
    const QString before = m_key->currentText();
    m_key->clear();
    for (const Prediction& one : m_predictions)
        if (text(one.quantity) == m_quantity->currentText())
            for (const auto& [key, name] : one.groups)
                if (m_key->findText(text(key)) < 0)
                    m_key->addItem(text(key));
    m_key->setCurrentIndex(std::max(0, m_key->findText(before.isEmpty() ? QStringLiteral("device") : before)));
}

void ValidationDialog::showResult()
{
    const std::string quantity = m_quantity->currentText().toStdString(), key = m_key->currentText().toStdString();
    const LineFigure figure = validationFigure(m_predictions, quantity, key);
    m_chart->show(Figure(figure));
    m_table->clear();
    m_table->setRowCount(0);
    const std::vector<QuantityAccuracy> all = accuracyByGroup(m_predictions);
    const auto one = std::find_if(all.begin(), all.end(), [&](const QuantityAccuracy& a) { return a.quantity == quantity; });
    if (one == all.end())
        return;
    const bool verdict = one->unit == "0/1";
    const QStringList header = verdict ? QStringList{tr("Group"), tr("Rows"), tr("Not\npredicted"), tr("1 said right"), tr("0 said right")}
                                       : QStringList{tr("Group"), tr("Rows"), tr("Missing"), tr("Mean"), tr("Median"), tr("p90"),
                                                     tr("Bias"), tr("In 80 %\nband"), tr("Median\nband width")};
    m_table->setColumnCount(int(header.size()));
    m_table->setHorizontalHeaderLabels(header);
    std::vector<QStringList> rows{verdict ? cellsOf(tr("all"), one->verdicts) : cellsOf(tr("all"), one->overall)};
    for (const GroupAccuracy& group : one->groups)
        if (group.key == key)
            rows.push_back(verdict ? cellsOf(text(group.name), group.verdicts) : cellsOf(text(group.name), group.accuracy));
    m_table->setRowCount(int(rows.size()));
    for (int r = 0; r < int(rows.size()); ++r)
        for (int c = 0; c < int(header.size()); ++c) {
            auto* item = new QTableWidgetItem(rows[std::size_t(r)][c]);
            item->setTextAlignment((c == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (c > 0)
                item->setFont(numberFont());
            if (c == 0) {
                item->setIcon(markOf(figure, rows[std::size_t(r)][0]));
                item->setToolTip(rows[std::size_t(r)][0]);
            }
            m_table->setItem(r, c, item);
            if (r == 0)
                m_table->horizontalHeaderItem(c)->setTextAlignment(Qt::Alignment(item->textAlignment()));
        }
    m_table->resizeColumnsToContents();
    constexpr int widestName = 240;
    m_table->setColumnWidth(0, std::min(m_table->columnWidth(0), widestName));
}

} // namespace ridgepoint::app
