// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/project_file.h"
#include "core/scenario/evaluate.h"
#include "core/scenario/knobs.h"

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ridgepoint::app {

/// The configurations of a board with their results, the file they belong to, and what can be undone. Scenarios change
/// by undo commands only, and each is evaluated in the frame that changes it.
class Document : public QObject
{
    Q_OBJECT
public:
    explicit Document(Presets presets, QObject* parent = nullptr);

    [[nodiscard]] const Presets& presets() const { return m_presets; }
    [[nodiscard]] std::span<const Evaluated> configurations() const { return m_configurations; }
    [[nodiscard]] std::size_t size() const { return m_configurations.size(); }
    [[nodiscard]] std::size_t baseline() const { return m_baseline; }
    [[nodiscard]] const Definitions& definitions() const { return m_definitions; }   ///< that numbers are shown in
    [[nodiscard]] Project project() const;
    [[nodiscard]] QUndoStack& undoStack() { return m_undoStack; }
    [[nodiscard]] double evaluationMilliseconds() const { return m_milliseconds; }   ///< of the last change

    [[nodiscard]] const QString& fileName() const { return m_fileName; }
    void setFileName(const QString& fileName);
    [[nodiscard]] bool isModified() const { return !m_undoStack.isClean(); }

    // What a user does. Each is one step to undo; those that can be wrong say what would be right.

    /// Edits of one gesture (a drag, a row of key presses) are one step; gesture 0 stands alone.
    Result<void> setKnob(std::size_t column, std::string_view id, const KnobValue& value, int gesture = 0);
    void cancelGesture(int gesture);   ///< takes its edits back if they were the last; no step to redo stays
    Result<void> resetToBaseline(std::size_t column, std::string_view id);
    Result<void> copyToAll(std::size_t column, std::string_view id);
    Result<void> addConfiguration();
    Result<void> add(const Scenario& scenario);   ///< as the last column
    Result<void> duplicate(std::size_t column);
    Result<void> remove(std::size_t column);
    void move(std::size_t column, std::size_t to);
    void setBaseline(std::size_t column);
    void rename(std::size_t column, const QString& name);
    void setDefinitions(const Definitions& definitions);   ///< nothing is evaluated anew

    /// Replaces everything, such as after opening a file. Not a step to undo.
    void reset(Project project, const QString& fileName);

    /// Adds a network to choose from; an equal id is replaced.
    void addNetwork(Network network);
    void setPresets(Presets presets);

    /// Presets that the next start finds again: a project file has to hold whatever else it uses.
    [[nodiscard]] Presets presetsOnDisk() const;

    // For commands only.
    [[nodiscard]] bool isCancelling() const { return m_cancelling; }
    void swapScenario(std::size_t column, Scenario& other);
    void swapProject(Project& other);
    void swapDefinitions(Definitions& other);

Q_SIGNALS:
    void changed();              ///< scenarios, results or the baseline
    void presetsChanged();
    void fileNameChanged();

private:
    void push(const QString& text, Project next);

    Presets m_presets;
    std::set<std::string> m_added;   ///< ids of networks that no preset file holds
    std::vector<Evaluated> m_configurations;
    std::size_t m_baseline = 0;
    Definitions m_definitions;
    QUndoStack m_undoStack;
    QString m_fileName;
    double m_milliseconds = 0;
    bool m_cancelling = false;
};

} // namespace ridgepoint::app
