// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/settings.h"
#include "app/panels/banner.h"
#include "app/panels/comparison_board.h"
#include "app/panels/library_panel.h"
#include "app/window/figure_grid.h"
#include "app/window/main_window.h"
#include "core/io/network_import.h"
#include "core/io/text_file.h"

#include <QCloseEvent>
#include <QDateTime>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>

namespace ridgepoint::app {

namespace {

QString projectFilter() { return MainWindow::tr("Ridgepoint project (*.yaml *.yml);;All files (*)"); }

QString documentsFolder() { return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation); }

} // namespace

bool MainWindow::open(const QString& file)
{
    if (!askToSave())
        return false;
    auto project = loadProject(file.toStdString(), m_document.presets());
    if (!project) {
        m_banner->show(tr("%1 was not opened").arg(QFileInfo(file).fileName()), tr("The board is unchanged."), {project.error()});
        return false;
    }
    m_banner->hide();
    m_document.reset(std::move(*project), file);
    addRecentFile(file);
    updateExplanation();
    return true;
}

bool MainWindow::saveTo(const QString& file)
{
    if (const auto saved = saveProject(m_document.project(), file.toStdString(), m_document.presetsOnDisk()); !saved) {
        m_banner->show(tr("%1 was not saved").arg(QFileInfo(file).fileName()), tr("What is on the board is unchanged; an older file is still whole."),
                       {saved.error()});
        return false;
    }
    m_document.undoStack().setClean();
    m_document.setFileName(file);
    addRecentFile(file);
    if (m_recovers)
        QFile::remove(recoveryFile());
    m_autosave.stop();
    say(tr("Saved %1.").arg(QFileInfo(file).fileName()));
    return true;
}

bool MainWindow::save() { return m_document.fileName().isEmpty() ? saveAs() : saveTo(m_document.fileName()); }

bool MainWindow::saveAs()
{
    const QString proposal = m_document.fileName().isEmpty() ? documentsFolder() + QStringLiteral("/comparison.yaml") : m_document.fileName();
    QString file = QFileDialog::getSaveFileName(this, tr("Save the board"), proposal, projectFilter());
    if (file.isEmpty())
        return false;
    if (QFileInfo(file).suffix().isEmpty())
        file += QStringLiteral(".yaml");
    return saveTo(file);
}

void MainWindow::openWithDialog()
{
    const QString folder = m_document.fileName().isEmpty() ? documentsFolder() : QFileInfo(m_document.fileName()).absolutePath();
    if (const QString file = QFileDialog::getOpenFileName(this, tr("Open a project"), folder, projectFilter()); !file.isEmpty())
        open(file);
}

void MainWindow::newBoard()
{
    if (!askToSave())
        return;
    auto scenario = defaultScenario(m_document.presets());
    if (!scenario)
        return m_banner->show(tr("A new board needs presets that are missing"), {}, {scenario.error()});
    m_document.reset({.configurations = {std::move(*scenario)}, .baseline = 0}, {});
}

void MainWindow::openSample()
{
    if (!askToSave())
        return;
    auto sample = sampleComparison(m_document.presets());
    if (!sample)
        return m_banner->show(tr("The sample needs presets that are missing"), {}, {sample.error()});
    m_document.reset({.configurations = std::move(*sample), .baseline = 0}, {});
}

bool MainWindow::askToSave()
{
    if (!m_document.isModified())
        return true;
    QMessageBox box(QMessageBox::Warning, tr("Ridgepoint"), tr("The board has changes that are not saved."), QMessageBox::NoButton, this);
    box.setInformativeText(tr("Save them before going on?"));
    QPushButton* saveButton = box.addButton(tr("Save"), QMessageBox::AcceptRole);
    QPushButton* drop = box.addButton(tr("Drop the changes"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(saveButton);
    box.setEscapeButton(cancel);
    box.exec();
    if (box.clickedButton() == saveButton)
        return save();
    if (box.clickedButton() == drop && m_recovers)
        QFile::remove(recoveryFile());
    return box.clickedButton() == drop;
}

void MainWindow::importWithDialog()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Import a network"), documentsFolder(), tr("Model configuration (*.json);;All files (*)"));
    if (!file.isEmpty())
        (void)importFile(file);
}

Result<void> MainWindow::importFile(const QString& file)
{
    auto network = importNetwork(file.toStdString());
    if (!network) {
        m_banner->show(tr("%1 was not imported").arg(QFileInfo(file).fileName()), tr("The library and the board are unchanged."), {network.error()});
        return fail(network.error());
    }
    m_banner->hide();
    const QString id = QString::fromStdString(network->id), name = QString::fromStdString(network->name);
    m_document.addNetwork(std::move(*network));
    m_library->reveal(LibraryKind::network, id);
    say(tr("Imported %1. Choose “Use in column” to compare it.").arg(name));
    return {};
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString file = event->mimeData()->urls().first().toLocalFile();
    event->acceptProposedAction();
    if (QFileInfo(file).suffix().toLower() == QLatin1String("json"))
        (void)importFile(file);
    else
        open(file);
}

void MainWindow::keepRecovery(bool on) { m_recovers = on; }

void MainWindow::writeRecovery()
{
    // A copy for the case that the program or the machine stops; a failure here must not get in the way of work.
    if (m_recovers && m_document.isModified())
        (void)writeTextFile(recoveryFile().toStdString(), writeProject(m_document.project(), m_document.presetsOnDisk()));
}

bool MainWindow::offerRecovery()
{
    const QString file = recoveryFile();
    if (!QFileInfo::exists(file))
        return false;
    auto project = loadProject(file.toStdString(), m_document.presets());
    const QDateTime written = QFileInfo(file).lastModified();
    const QString date = QLocale().toString(written, QLocale::ShortFormat);
    if (!project) {
        // Under another name, so that the next autosave does not write over it.
        const QString kept = QFileInfo(file).absolutePath() + QStringLiteral("/unsaved-%1.yaml").arg(written.toString(QStringLiteral("yyyyMMdd-HHmmss")));
        const bool moved = QFile::rename(file, kept);
        m_banner->show(tr("Unsaved work from %1 was not read").arg(date), tr("It is kept in %1.").arg(moved ? kept : file), {project.error()});
        return false;
    }
    QMessageBox box(QMessageBox::Question, tr("Ridgepoint"), tr("Unsaved work from %1 was found.").arg(date), QMessageBox::NoButton, this);
    QPushButton* take = box.addButton(tr("Take it up"), QMessageBox::AcceptRole);
    box.addButton(tr("Drop it"), QMessageBox::RejectRole);
    box.setDefaultButton(take);
    box.exec();
    if (box.clickedButton() != take) {
        QFile::remove(file);
        return false;
    }
    // The file stays until the work is saved or dropped.
    m_document.reset(std::move(*project), {});
    m_document.undoStack().resetClean();
    refreshTitle();
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_recovers && !askToSave()) {
        event->ignore();
        return;
    }
    if (m_recovers) {
        QFile::remove(recoveryFile());
        QSettings settings;
        settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
        settings.setValue(QStringLiteral("window/docks"), saveState());
        settings.setValue(QStringLiteral("window/splitter"), m_vertical->saveState());
        settings.setValue(QStringLiteral("window/figures"), m_figures->saveState());
    }
    event->accept();
}

} // namespace ridgepoint::app
