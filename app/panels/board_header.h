// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <vector>

namespace ridgepoint::app {

class BoardModel;

/// The heads of the columns: mark, name, baseline or cheapest; fit and provenance below.
class BoardColumnHeader : public QHeaderView
{
    Q_OBJECT
public:
    BoardColumnHeader(const BoardModel* model, QWidget* parent);
    QSize sizeHint() const override { return {100, neededHeight()}; }
    [[nodiscard]] int neededHeight() const;      ///< so that no badge is cut

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Placed
    {
        QString text;
        int kind;
        QRectF rect;          ///< within the section
    };
    [[nodiscard]] std::vector<Placed> badges(int index, double& nameWidth) const;

    const BoardModel* m_model;
};

/// The labels of the rows: name and unit of a result; group, name and unit of a knob.
class BoardRowHeader : public QHeaderView
{
    Q_OBJECT
public:
    BoardRowHeader(const BoardModel* model, QWidget* parent);
    QSize sizeHint() const override { return {m_width, 100}; }
    void setLabelWidth(int width);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;

private:
    const BoardModel* m_model;
    int m_width = 216;
};

} // namespace ridgepoint::app
