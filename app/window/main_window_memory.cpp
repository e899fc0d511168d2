// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/comparison_board.h"
#include "app/panels/memory_page.h"
#include "app/style/marks.h"
#include "app/window/main_window.h"

#include <QBoxLayout>
#include <QDialog>

namespace ridgepoint::app {

void MainWindow::openMemory()
{
    if (m_memory == nullptr) {
        auto* dialog = new QDialog(this);
        dialog->setWindowTitle(tr("Memory and the engine's log"));
        dialog->resize(1180, 780);
        auto* layout = new QVBoxLayout(dialog);
        m_memory = new MemoryPage;
        layout->addWidget(m_memory);
        connect(m_memory, &MemoryPage::applyRequested, this, [this](int column) { applyEngineValues(column); });
        connect(m_memory, &MemoryPage::keepBothRequested, this, [this](int column) {
            if (m_document.size() >= maximumConfigurations)
                return complain(tr("The board holds %1 configurations at most; remove one to keep both.").arg(maximumConfigurations));
            m_document.undoStack().beginMacro(tr("Keep both"));
            report(m_document.duplicate(std::size_t(column)));
            applyEngineValues(column + 1);
            m_document.undoStack().endMacro();
        });
        connect(m_memory, &MemoryPage::message, this, &MainWindow::say);
        connect(m_memory, &MemoryPage::failed, this, &MainWindow::complain);
    }
    m_memory->window()->show();
    m_memory->show(m_document.configurations(), m_document.presets(), m_document.definitions());
    m_memory->setColumn(m_board->currentColumn());
    m_memory->window()->raise();
    m_memory->window()->activateWindow();
}

void MainWindow::applyEngineValues(int column)
{
    const std::vector<EngineChange> changes = m_memory->reconciliation().changes;   // each edit makes a new one
    m_document.undoStack().beginMacro(tr("Apply engine values"));
    for (const EngineChange& change : changes)
        report(m_document.setKnob(std::size_t(column), change.knob, change.value));
    m_document.undoStack().endMacro();
    m_memory->setColumn(column);
    say(tr("Engine values are now set in column %1.").arg(letterOf(column)));
}

} // namespace ridgepoint::app
