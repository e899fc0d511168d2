// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/presenter.h"

#include "app/charts/figure_export.h"
#include "app/style/fonts.h"
#include "app/style/tokens.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace ridgepoint::app {

namespace {

constexpr double enlarged = 2.0;      // 9 pt of a figure are read as 18
constexpr double messageSize = 22;    // pt
constexpr int side = 40, foot = 28;

} // namespace

Presenter::Presenter(std::vector<Slide> slides, QString stamp, QWidget* parent) : QDialog(parent), m_slides(std::move(slides)), m_stamp(std::move(stamp))
{
    setWindowTitle(tr("Presentation"));
    setMinimumSize(800, 600);
    setFocusPolicy(Qt::StrongFocus);
    go(0);
}

void Presenter::go(int slide)
{
    if (m_slides.empty())
        return;
    m_current = std::clamp(slide, 0, count() - 1);
    const Slide& one = m_slides[std::size_t(m_current)];
    setAccessibleName(QString::fromStdString(titleOf(one.figure)));
    setAccessibleDescription(one.message + QLatin1Char(' ') + QString::fromStdString(descriptionOf(one.figure)));
    render();
    update();
}

void Presenter::render()
{
    if (m_slides.empty())
        return;
    const Slide& slide = m_slides[std::size_t(m_current)];
    const QFontMetrics metrics(textFont(messageSize, QFont::DemiBold));
    const int width = this->width() - 2 * side;
    const int height = metrics.boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, slide.message).height();
    m_message = QRect(side, side - 10, width, std::min(height, this->height() / 3));
    m_figure = QRect(side, m_message.bottom() + 12, width, this->height() - m_message.bottom() - 12 - foot - 12);
    const QSize logical(int(m_figure.width() / enlarged), int(m_figure.height() / enlarged));
    if (logical.width() < 200 || logical.height() < 150)
        return;
    QImage image = figureImage(slide.figure, tokens(), enlarged * devicePixelRatioF(), logical);
    image.setDevicePixelRatio(devicePixelRatioF());
    m_picture = QPixmap::fromImage(image);
}

void Presenter::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    if (m_slides.empty())
        return;
    painter.setPen(t.text);
    painter.setFont(textFont(messageSize, QFont::DemiBold));
    painter.drawText(m_message, int(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, m_slides[std::size_t(m_current)].message);
    painter.drawPixmap(m_figure.topLeft(), m_picture);
    painter.setFont(textFont(9));
    painter.setPen(t.secondary);
    const QRect strip(side, height() - foot - 6, width() - 2 * side, foot);
    const QString place = tr("%1 of %2 · ← → · Esc").arg(m_current + 1).arg(count());
    const int room = QFontMetrics(painter.font()).horizontalAdvance(place) + 24;
    painter.drawText(strip, Qt::AlignRight | Qt::AlignVCenter, place);
    painter.drawText(strip.adjusted(0, 0, -room, 0), int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextWordWrap, m_stamp);
}

void Presenter::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    render();
}

void Presenter::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
    case Qt::Key_Space:
    case Qt::Key_PageDown: return go(m_current + 1);
    case Qt::Key_Left:
    case Qt::Key_Up:
    case Qt::Key_Backspace:
    case Qt::Key_PageUp: return go(m_current - 1);
    case Qt::Key_Home: return go(0);
    case Qt::Key_End: return go(count() - 1);
    case Qt::Key_F11: return reject();
    default: QDialog::keyPressEvent(event);
    }
}

void Presenter::mousePressEvent(QMouseEvent* event)
{
    go(m_current + (event->button() == Qt::LeftButton ? 1 : -1));
}

} // namespace ridgepoint::app
