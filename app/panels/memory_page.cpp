// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/memory_page.h"

#include "app/charts/chart_view.h"
#include "app/style/app_style.h"
#include "app/style/fonts.h"
#include "app/style/marks.h"
#include "app/style/tokens.h"
#include "core/base/unit_text.h"
#include "core/figures/memory_log.h"
#include "core/insight/comparison.h"
#include "core/io/engine_log_reader.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>

namespace ridgepoint::app {

namespace {

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

enum LedgerColumn { nameColumn, formulaColumn, predictedColumn, loggedColumn, differenceColumn, unitColumn, lineColumn, stateColumn, ledgerColumns };

/// What numbers of a line are shown in.
struct Shown
{
    double unit;
    QString name;
};
Shown shownOf(const LedgerCheck& line, const Definitions& definitions)
{
    if (!line.isBytes)
        return {1.0, MemoryPage::tr("tokens")};
    if (line.key == "token")
        return definitions.gigabytes ? Shown{1e3, QStringLiteral("kB")} : Shown{kibi, QStringLiteral("KiB")};
    return {memoryUnit(definitions), text(memoryUnitName(definitions))};
}

QString amount(const LedgerCheck& line, double value, const Definitions& definitions)
{
    return line.isBytes ? text(numberText(value / shownOf(line, definitions).unit)) : text(countText(value));
}

QString difference(const LedgerCheck& line, const Definitions& definitions)
{
    if (!line.logged)
        return {};
    const double off = *line.logged - line.predicted;
    constexpr double shown = 5e-4;   // of three digits
    if (std::abs(off) < shown * std::abs(line.predicted))
        return QStringLiteral("0");
    return (off > 0 ? QStringLiteral("+") : QString()) + amount(line, off, definitions);
}

/// A sign, so that colour alone says nothing.
QString stateText(Agreement agreement)
{
    switch (agreement) {
    case Agreement::agrees: return MemoryPage::tr("✓ agrees");
    case Agreement::close: return MemoryPage::tr("≈ differs a little");
    case Agreement::disagrees: return MemoryPage::tr("✕ disagrees");
    case Agreement::notCompared: break;
    }
    return MemoryPage::tr("– not compared");
}

QColor stateColour(Agreement agreement)
{
    const Tokens& t = tokens();
    switch (agreement) {
    case Agreement::agrees: return t.good;
    case Agreement::close: return t.warning;
    case Agreement::disagrees: return t.bad;
    case Agreement::notCompared: break;
    }
    return t.faint;
}

QTableWidget* table(const QStringList& headers, const QString& name)
{
    auto* result = new QTableWidget(0, int(headers.size()));
    result->setHorizontalHeaderLabels(headers);
    result->setEditTriggers(QAbstractItemView::NoEditTriggers);
    result->setSelectionBehavior(QAbstractItemView::SelectRows);
    result->setShowGrid(false);
    result->setAlternatingRowColors(true);
    result->verticalHeader()->hide();
    result->verticalHeader()->setDefaultSectionSize(24);
    result->horizontalHeader()->setHighlightSections(false);
    result->setAccessibleName(name);
    return result;
}

QTableWidgetItem* cell(const QString& content, const QFont& font, const QColor& colour, Qt::Alignment alignment = Qt::AlignLeft)
{
    auto* item = new QTableWidgetItem(content);
    item->setFont(font);
    item->setForeground(colour);
    item->setTextAlignment(alignment | Qt::AlignVCenter);
    return item;
}

QWidget* titled(const QString& title, QWidget* content, const QList<QWidget*>& extras = {})
{
    auto* widget = new QWidget;
    auto* head = new QHBoxLayout;
    auto* label = new QLabel(title);
    label->setFont(textFont(9.5, QFont::DemiBold));
    head->addWidget(label);
    head->addStretch(1);
    for (QWidget* extra : extras)
        head->addWidget(extra);
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(content, 1);
    return widget;
}

} // namespace

MemoryPage::MemoryPage(QWidget* parent)
    : QWidget(parent), m_chart(new ChartView),
      m_ledger(table({tr("Line"), tr("How it is computed"), tr("Predicted"), tr("Log"), tr("Log − predicted"), tr("Unit"), tr("Log line"), tr("State")},
                     tr("Memory ledger and log"))),
      m_lines(table({tr("No."), tr("Line"), tr("Read")}, tr("Lines of the log"))), m_editor(new QPlainTextEdit), m_stack(new QStackedWidget),
      m_column(new QComboBox), m_verdict(new QLabel), m_changes(new QLabel), m_count(new QLabel), m_apply(new QPushButton(tr("&Apply engine values"))),
      m_keep(new QPushButton(tr("&Keep both"))), m_edit(new QPushButton(tr("&Edit")))
{
    m_wait.setSingleShot(true);
    m_wait.setInterval(200);
    m_follow.setSingleShot(true);
    m_follow.setInterval(60);
    m_column->setAccessibleName(tr("Configuration"));
    m_column->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_editor->setFont(codeFont());
    m_editor->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_editor->setAccessibleName(tr("Engine start-up log"));
    m_editor->setPlaceholderText(tr("Paste what vLLM or SGLang prints while it starts, from the first line to “Graph capturing finished” or "
                                    "“max_total_num_tokens”.\nNothing leaves this machine."));
    m_stack->addWidget(m_editor);
    m_stack->addWidget(m_lines);
    m_verdict->setWordWrap(true);
    m_verdict->setFont(textFont(10.5, QFont::DemiBold));
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_changes->setWordWrap(true);
    m_changes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_apply->setToolTip(tr("Sets these knobs in the configuration; one step to undo"));
    m_keep->setToolTip(tr("Leaves the configuration as it is and sets them in a copy beside it"));
    m_ledger->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ledger->horizontalHeader()->setSectionResizeMode(formulaColumn, QHeaderView::Stretch);
    for (QTableWidget* one : {m_ledger, m_lines})
        for (int i = 0; i < one->columnCount(); ++i)
            one->horizontalHeaderItem(i)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (const int i : {predictedColumn, loggedColumn, differenceColumn, lineColumn})
        m_ledger->horizontalHeaderItem(i)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_lines->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_lines->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_lines->setWordWrap(false);

    auto* paste = new QPushButton(tr("&Paste"));
    auto* open = new QPushButton(tr("&Open file…"));
    auto* clear = new QPushButton(tr("&Clear"));
    auto* top = new QHBoxLayout;
    top->addWidget(new QLabel(tr("Configuration")));
    top->addWidget(m_column);
    top->addSpacing(12);
    top->addWidget(m_verdict, 1);
    auto* actions = new QHBoxLayout;
    actions->addWidget(m_changes, 1);
    actions->addWidget(m_apply);
    actions->addWidget(m_keep);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_chart);
    splitter->addWidget(titled(tr("Ledger of one device"), m_ledger));
    splitter->addWidget(titled(tr("Engine start-up log"), m_stack, {m_count, paste, open, m_edit, clear}));
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({190, 250, 200});
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addLayout(actions);
    layout->addWidget(splitter, 1);

    connect(&m_wait, &QTimer::timeout, this, &MemoryPage::readLog);
    connect(&m_follow, &QTimer::timeout, this, &MemoryPage::compare);
    connect(m_editor, &QPlainTextEdit::textChanged, this, [this] { m_wait.start(); });
    connect(m_column, &QComboBox::currentIndexChanged, this, &MemoryPage::compare);
    connect(paste, &QPushButton::clicked, this, [this] { setLog(QGuiApplication::clipboard()->text()); });
    connect(open, &QPushButton::clicked, this, &MemoryPage::openFile);
    connect(clear, &QPushButton::clicked, this, [this] { setLog({}); });
    connect(m_edit, &QPushButton::clicked, this, [this] {
        m_stack->setCurrentWidget(m_editor);
        m_editor->setFocus();
    });
    connect(m_apply, &QPushButton::clicked, this, [this] { Q_EMIT applyRequested(column()); });
    connect(m_keep, &QPushButton::clicked, this, [this] { Q_EMIT keepBothRequested(column()); });
    connect(m_chart, &ChartView::message, this, &MemoryPage::message);
    connect(m_chart, &ChartView::failed, this, &MemoryPage::failed);
}

int MemoryPage::column() const { return m_column->currentIndex(); }

QString MemoryPage::verdict() const { return m_verdict->text(); }

void MemoryPage::setColumn(int column) { m_column->setCurrentIndex(column); }

void MemoryPage::show(std::span<const Evaluated> configurations, const Presets& presets, const Definitions& definitions)
{
    m_configurations = configurations;
    m_presets = &presets;
    m_definitions = definitions;
    const int current = std::clamp(column(), 0, std::max(0, int(configurations.size()) - 1));
    {
        const QSignalBlocker blocker(m_column);
        m_column->clear();
        for (std::size_t i = 0; i < configurations.size(); ++i)
            m_column->addItem(text(columnName(i, configurations[i].scenario)));
        m_column->setCurrentIndex(configurations.empty() ? -1 : current);
    }
    if (!m_log)
        compare();
    else if (!m_follow.isActive())
        m_follow.start();
}

void MemoryPage::hideEvent(QHideEvent* event)
{
    m_follow.stop();   // what is not seen is shown anew when it is
    QWidget::hideEvent(event);
}

void MemoryPage::setLog(const QString& content)
{
    {
        const QSignalBlocker blocker(m_editor);
        m_editor->setPlainText(content);
    }
    m_wait.stop();
    readLog();
}

void MemoryPage::openFile()
{
    const QString name = QFileDialog::getOpenFileName(this, tr("Engine start-up log"), {}, tr("Logs (*.log *.txt);;All files (*)"));
    if (name.isEmpty())
        return;
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return void(Q_EMIT failed(tr("%1 cannot be read: %2").arg(name, file.errorString())));
    setLog(QString::fromUtf8(file.readAll()));
}

void MemoryPage::readLog()
{
    m_log.reset();
    m_problem.clear();
    const QString content = m_editor->toPlainText();
    if (!content.trimmed().isEmpty()) {
        Result<EngineLog> log = readEngineLog(content.toStdString());
        if (log)
            m_log = std::move(*log);
        else
            m_problem = text(log.error().message);
    }
    fillLines();
    m_stack->setCurrentWidget(m_log ? static_cast<QWidget*>(m_lines) : m_editor);
    compare();
}

void MemoryPage::compare()
{
    m_follow.stop();
    m_result = {};
    const int index = column();
    if (index >= 0 && index < int(m_configurations.size()) && m_presets != nullptr) {
        const Evaluated& one = m_configurations[std::size_t(index)];
        m_result = reconcile(one.scenario, m_log.value_or(EngineLog{}), *m_presets);
        m_chart->show(memoryLogFigure(one, std::size_t(index), m_log ? &*m_log : nullptr, m_definitions));
    }
    fillLedger();
    fillLines();
    fillVerdict();
}

void MemoryPage::fillLedger()
{
    const Tokens& t = tokens();
    m_ledger->setRowCount(int(m_result.lines.size()));
    for (int row = 0; row < int(m_result.lines.size()); ++row) {
        const LedgerCheck& line = m_result.lines[std::size_t(row)];
        const QFont body = textFont(9.5), number = numberFont(9.5);
        const auto put = [&](int column, QTableWidgetItem* item) {
            if (!line.cause.empty())
                item->setToolTip(wrappingToolTip(text(line.cause)));
            if (line.agreement == Agreement::disagrees)
                item->setBackground(t.badTint);
            m_ledger->setItem(row, column, item);
        };
        put(nameColumn, cell(text(line.name), textFont(9.5, QFont::DemiBold), t.text));
        put(formulaColumn, cell(line.cause.empty() ? text(line.formula) : tr("cause: %1").arg(text(line.cause)), body,
                                line.cause.empty() ? t.secondary : t.text));
        put(predictedColumn, cell(amount(line, line.predicted, m_definitions), number, t.text, Qt::AlignRight));
        put(loggedColumn, cell(line.logged ? amount(line, *line.logged, m_definitions) : QStringLiteral("–"), number, t.text, Qt::AlignRight));
        put(differenceColumn, cell(difference(line, m_definitions), number, t.text, Qt::AlignRight));
        put(unitColumn, cell(shownOf(line, m_definitions).name, body, t.faint));
        put(lineColumn, cell(line.logLine > 0 ? QString::number(line.logLine) : QString(), number, t.secondary, Qt::AlignRight));
        put(stateColumn, cell(stateText(line.agreement), textFont(9, QFont::DemiBold), stateColour(line.agreement)));
    }
}

void MemoryPage::fillLines()
{
    const Tokens& t = tokens();
    const int count = m_log ? int(m_log->lines.size()) : 0;
    m_lines->setRowCount(count);
    m_count->setText(m_log ? tr("%1 of %2 lines read").arg(m_log->linesRead()).arg(count) : QString());
    m_edit->setVisible(m_log.has_value());
    for (int row = 0; row < count; ++row) {
        const LogLine& line = m_log->lines[std::size_t(row)];
        bool disagrees = false;
        for (const LedgerCheck& one : m_result.lines)
            disagrees = disagrees || (one.agreement == Agreement::disagrees && one.logLine == row + 1);
        const bool read = !line.read.empty();
        m_lines->setItem(row, 0, cell(QString::number(row + 1), numberFont(9), t.faint, Qt::AlignRight));
        m_lines->setItem(row, 1, cell(text(line.text).trimmed(), codeFont(), read ? t.text : t.faint));
        m_lines->item(row, 1)->setToolTip(wrappingToolTip(text(line.text).trimmed()));
        m_lines->setItem(row, 2, cell(!read ? tr("not read") : (disagrees ? tr("✕ %1") : tr("✓ %1")).arg(text(line.read)), textFont(9, read ? QFont::DemiBold : QFont::Normal),
                                      !read ? t.faint : disagrees ? t.bad : t.good));
    }
}

void MemoryPage::fillVerdict()
{
    m_verdict->setText(!m_problem.isEmpty() ? tr("The log was not read: %1.").arg(m_problem)
                       : m_log              ? text(m_result.verdict)
                                            : tr("Paste an engine's start-up log to see where the ledger and the engine differ."));
    QStringList changes;
    if (m_log)
        for (const EngineChange& change : m_result.changes)
            changes << text(change.text) + (change.stated ? tr(" (the log says so)") : tr(" (explains the numbers best)"));
    m_changes->setText(changes.join(QStringLiteral(" · ")));
    const bool any = m_log && !m_result.changes.empty();
    m_apply->setVisible(any);
    m_keep->setVisible(any);
}

void MemoryPage::applyTokens()
{
    m_chart->applyTokens();
    fillLedger();
    fillLines();
}

} // namespace ridgepoint::app
