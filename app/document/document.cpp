// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/document.h"

#include "app/document/edit_commands.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>

namespace ridgepoint::app {

namespace {

QString text(std::string_view value) { return QString::fromUtf8(value.data(), qsizetype(value.size())); }

/// Keeps a name that the program gave in step with the hardware; one that a user gave stays.
void followHardware(const Scenario& before, Scenario& after)
{
    if (before.name.empty() || before.name == hardwareName(before))
        after.name = hardwareName(after);
}

Error full()
{
    Error error;
    error.message = QCoreApplication::translate("Document", "A board holds at most %1 configurations. Remove one first.")
                        .arg(maximumConfigurations).toStdString();
    return error;
}

Error noColumn(std::size_t column)
{
    Error error;
    error.message = QCoreApplication::translate("Document", "There is no configuration %1. Add one first.").arg(QChar(u'A' + char16_t(column))).toStdString();
    return error;
}

} // namespace

Document::Document(Presets presets, QObject* parent) : QObject(parent), m_presets(std::move(presets)) {}

Project Document::project() const
{
    Project project;
    project.baseline = m_baseline;
    project.definitions = m_definitions;
    for (const Evaluated& configuration : m_configurations)
        project.configurations.push_back(configuration.scenario);
    return project;
}

void Document::setFileName(const QString& fileName)
{
    m_fileName = fileName;
    Q_EMIT fileNameChanged();
}

Result<void> Document::setKnob(std::size_t column, std::string_view id, const KnobValue& value, int gesture)
{
    if (column >= size())
        return fail(noColumn(column));
    const Scenario& before = m_configurations[column].scenario;
    auto after = withKnob(before, id, value, m_presets);
    if (!after)
        return fail(after.error());
    followHardware(before, *after);
    if (*after == before)
        return {};
    const Knob* knob = findKnob(id);
    m_undoStack.push(new EditScenario(*this, column, id, std::move(*after), gesture,
                                      tr("Change %1 of %2").arg(knob ? text(knob->label) : text(id)).arg(QChar(u'A' + char16_t(column)))));
    return {};
}

void Document::cancelGesture(int gesture)
{
    const auto* last = dynamic_cast<const EditScenario*>(m_undoStack.command(m_undoStack.index() - 1));
    if (!last || gesture == 0 || last->gesture() != gesture)
        return;
    m_cancelling = true;
    m_undoStack.undo();
    m_cancelling = false;
}

Result<void> Document::resetToBaseline(std::size_t column, std::string_view id)
{
    const Knob* knob = findKnob(id);
    if (!knob || column >= size())
        return fail(noColumn(column));
    return setKnob(column, id, knob->get(m_configurations.at(m_baseline).scenario));
}

Result<void> Document::copyToAll(std::size_t column, std::string_view id)
{
    const Knob* knob = findKnob(id);
    if (!knob || column >= size())
        return fail(noColumn(column));
    const KnobValue value = knob->get(m_configurations.at(column).scenario);
    Project next = project();
    for (Scenario& scenario : next.configurations) {
        auto after = withKnob(scenario, id, value, m_presets);
        if (!after)
            return fail(after.error());
        followHardware(scenario, *after);
        scenario = std::move(*after);
    }
    push(tr("Copy %1 to all").arg(text(knob->label)), std::move(next));
    return {};
}

Result<void> Document::addConfiguration()
{
    if (size() >= maximumConfigurations)
        return fail(full());
    Project next = project();
    if (next.configurations.empty()) {
        auto scenario = defaultScenario(m_presets);
        if (!scenario)
            return fail(scenario.error());
        next.configurations.push_back(std::move(*scenario));
    } else {
        next.configurations.push_back(next.configurations[m_baseline]);
    }
    push(tr("Add configuration"), std::move(next));
    return {};
}

Result<void> Document::add(const Scenario& scenario)
{
    if (size() >= maximumConfigurations)
        return fail(full());
    Project next = project();
    next.configurations.push_back(scenario);
    push(tr("Add configuration"), std::move(next));
    return {};
}

Result<void> Document::duplicate(std::size_t column)
{
    if (size() >= maximumConfigurations)
        return fail(full());
    if (column >= size())
        return fail(noColumn(column));
    Project next = project();
    const auto at = next.configurations.begin() + std::ptrdiff_t(column);
    next.configurations.insert(at + 1, Scenario(*at));
    if (next.baseline > column)
        ++next.baseline;
    push(tr("Duplicate %1").arg(QChar(u'A' + char16_t(column))), std::move(next));
    return {};
}

Result<void> Document::remove(std::size_t column)
{
    if (size() == 1)
        return fail(tr("A board needs at least one configuration.").toStdString());
    if (column >= size())
        return fail(noColumn(column));
    Project next = project();
    next.configurations.erase(next.configurations.begin() + std::ptrdiff_t(column));
    if (next.baseline > column || next.baseline == next.configurations.size())
        --next.baseline;
    push(tr("Remove %1").arg(QChar(u'A' + char16_t(column))), std::move(next));
    return {};
}

void Document::move(std::size_t column, std::size_t to)
{
    if (column == to || column >= size() || to >= size())
        return;
    Project next = project();
    Scenario moved = std::move(next.configurations[column]);
    next.configurations.erase(next.configurations.begin() + std::ptrdiff_t(column));
    next.configurations.insert(next.configurations.begin() + std::ptrdiff_t(to), std::move(moved));
    if (next.baseline == column)
        next.baseline = to;
    else if (column < next.baseline && to >= next.baseline)
        --next.baseline;
    else if (column > next.baseline && to <= next.baseline)
        ++next.baseline;
    push(tr("Move %1").arg(QChar(u'A' + char16_t(column))), std::move(next));
}

void Document::setBaseline(std::size_t column)
{
    if (column == m_baseline || column >= size())
        return;
    Project next = project();
    next.baseline = column;
    push(tr("Make %1 the baseline").arg(QChar(u'A' + char16_t(column))), std::move(next));
}

void Document::rename(std::size_t column, const QString& name)
{
    if (column >= size())
        return;
    Project next = project();
    Scenario& scenario = next.configurations[column];
    scenario.name = name.trimmed().isEmpty() ? hardwareName(scenario) : name.trimmed().toStdString();
    push(tr("Rename %1").arg(QChar(u'A' + char16_t(column))), std::move(next));
}

void Document::setDefinitions(const Definitions& definitions)
{
    if (definitions != m_definitions)
        m_undoStack.push(new ChangeDefinitions(*this, definitions, tr("Change definitions")));
}

void Document::swapDefinitions(Definitions& other)
{
    std::swap(m_definitions, other);
    Q_EMIT changed();
}

void Document::push(const QString& text, Project next)
{
    if (next != project())
        m_undoStack.push(new ChangeBoard(*this, std::move(next), text));
}

void Document::reset(Project project, const QString& fileName)
{
    for (const Scenario& scenario : project.configurations)   // networks that the file brings along can be chosen, too
        if (!findNetwork(m_presets, scenario.network.id))
            addNetwork(scenario.network);
    swapProject(project);
    m_undoStack.clear();
    m_undoStack.setClean();
    setFileName(fileName);
}

void Document::addNetwork(Network network)
{
    m_added.insert(network.id);
    const auto known = std::find_if(m_presets.networks.begin(), m_presets.networks.end(),
                                    [&](const Network& other) { return other.id == network.id; });
    if (known == m_presets.networks.end())
        m_presets.networks.push_back(std::move(network));
    else
        *known = std::move(network);
    Q_EMIT presetsChanged();
}

Presets Document::presetsOnDisk() const
{
    Presets presets = m_presets;
    std::erase_if(presets.networks, [&](const Network& network) { return m_added.contains(network.id); });
    return presets;
}

void Document::setPresets(Presets presets)
{
    m_presets = std::move(presets);
    Q_EMIT presetsChanged();
}

void Document::swapScenario(std::size_t column, Scenario& other)
{
    Evaluated& configuration = m_configurations.at(column);
    std::swap(configuration.scenario, other);
    QElapsedTimer timer;
    timer.start();
    configuration.report = evaluate(configuration.scenario);
    configuration.load = loadCurve(configuration.scenario);
    m_milliseconds = double(timer.nsecsElapsed()) / 1e6;
    Q_EMIT changed();
}

void Document::swapProject(Project& other)
{
    Project before = project();
    m_definitions = other.definitions;
    m_baseline = other.configurations.empty() ? 0 : std::min(other.baseline, other.configurations.size() - 1);
    QElapsedTimer timer;
    timer.start();
    m_configurations.clear();
    for (Scenario& scenario : other.configurations) {
        Report report = evaluate(scenario);
        std::vector<LoadPoint> load = loadCurve(scenario);
        m_configurations.push_back({std::move(scenario), std::move(report), std::move(load)});
    }
    m_milliseconds = double(timer.nsecsElapsed()) / 1e6;
    other = std::move(before);
    Q_EMIT changed();
}

} // namespace ridgepoint::app
