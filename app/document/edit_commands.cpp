// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/edit_commands.h"

#include "app/document/document.h"

namespace ridgepoint::app {

EditScenario::EditScenario(Document& document, std::size_t column, std::string_view knob, Scenario next, int gesture,
                           const QString& text)
    : QUndoCommand(text), m_document(document), m_column(column), m_knob(knob), m_other(std::move(next)), m_gesture(gesture)
{
}

void EditScenario::undo()
{
    m_document.swapScenario(m_column, m_other);
    setObsolete(m_document.isCancelling());
}

void EditScenario::redo() { m_document.swapScenario(m_column, m_other); }

bool EditScenario::mergeWith(const QUndoCommand* command)
{
    const auto* next = static_cast<const EditScenario*>(command);
    if (m_gesture == 0 || next->m_gesture != m_gesture || next->m_column != m_column || next->m_knob != m_knob)
        return false;
    setObsolete(m_document.configurations()[m_column].scenario == m_other);
    return true;
}

ChangeBoard::ChangeBoard(Document& document, Project next, const QString& text)
    : QUndoCommand(text), m_document(document), m_other(std::move(next))
{
}

void ChangeBoard::undo() { m_document.swapProject(m_other); }

void ChangeBoard::redo() { m_document.swapProject(m_other); }

ChangeDefinitions::ChangeDefinitions(Document& document, const Definitions& next, const QString& text)
    : QUndoCommand(text), m_document(document), m_other(next)
{
}

void ChangeDefinitions::undo() { m_document.swapDefinitions(m_other); }

void ChangeDefinitions::redo() { m_document.swapDefinitions(m_other); }

} // namespace ridgepoint::app
