// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/panels/library_facts.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QModelIndex;
class QPushButton;
class QSortFilterProxyModel;
class QStandardItemModel;
class QTreeView;
class QVBoxLayout;

namespace ridgepoint::app {

/// Everything a configuration can be made of, with search, facts and sources.
class LibraryPanel : public QWidget
{
    Q_OBJECT
public:
    explicit LibraryPanel(QWidget* parent = nullptr);

    void show(const Presets& presets);
    using QWidget::show;
    void setTarget(const QString& column);       ///< the column that "Use" acts on, such as "B"
    void reveal(LibraryKind kind, const QString& id);
    void noteUsed(LibraryKind kind, const QString& id);   ///< puts it on top
    void focusSearch();
    void applyTokens();
    void setDefinitions(const Definitions& definitions);
    [[nodiscard]] QTreeView* tree() const { return m_tree; }
    [[nodiscard]] QLineEdit* searchField() const { return m_search; }

Q_SIGNALS:
    void useRequested(ridgepoint::app::LibraryKind kind, const QString& id);
    void importRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showDetail();
    void useCurrent();
    bool enterResults();
    void fillRecent();
    void select(const QModelIndex& index);
    [[nodiscard]] QModelIndex chosen() const;   ///< the name of the current row

    Definitions m_definitions;
    const Presets* m_presets = nullptr;
    std::vector<LibraryEntry> m_entries;
    QString m_target;
    QLineEdit* m_search;
    QTreeView* m_tree;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_filter;
    QLabel* m_none;              ///< in place of the tree when nothing matches
    QWidget* m_detail;
    QVBoxLayout* m_detailLayout;
    QPushButton* m_use;
};

} // namespace ridgepoint::app
