// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/project_file.h"

#include <QUndoCommand>
#include <string>

namespace ridgepoint::app {

class Document;

/// One knob of one configuration. Holds the version of the scenario that is not in the document; undo and redo swap the
/// two. Edits of the same gesture become one step, and a gesture that ends where it began leaves none.
class EditScenario : public QUndoCommand
{
public:
    EditScenario(Document& document, std::size_t column, std::string_view knob, Scenario next, int gesture,
                 const QString& text);
    void undo() override;
    void redo() override;
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* command) override;
    [[nodiscard]] int gesture() const { return m_gesture; }

private:
    Document& m_document;
    std::size_t m_column;
    std::string m_knob;
    Scenario m_other;
    int m_gesture;
};

/// Anything that concerns the board as a whole: columns added, removed, moved, renamed; the baseline.
class ChangeBoard : public QUndoCommand
{
public:
    ChangeBoard(Document& document, Project next, const QString& text);
    void undo() override;
    void redo() override;

private:
    Document& m_document;
    Project m_other;
};

/// What numbers are shown in; results stay.
class ChangeDefinitions : public QUndoCommand
{
public:
    ChangeDefinitions(Document& document, const Definitions& next, const QString& text);
    void undo() override;
    void redo() override;

private:
    Document& m_document;
    Definitions m_other;
};

} // namespace ridgepoint::app
