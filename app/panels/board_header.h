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
    [[nodiscard]] int neededHeight(int row) const;      ///< higher where the label takes two lines

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;

private:
    [[nodiscard]] bool wraps(int row, int width) const;
    [[nodiscard]] QRect labelRect(const QRect& section, int row) const;

    const BoardModel* m_model;
    int m_width = 216;
};

} // namespace ridgepoint::app
