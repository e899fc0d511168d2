// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;

namespace ridgepoint::app {

/// What went wrong, where, and what still works; stays until it is closed or solved.
class Banner : public QWidget
{
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);

    void show(const QString& title, const QString& text, const std::vector<Error>& errors = {});
    using QWidget::show;
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_more;
    QPushButton* m_close;
    std::vector<Error> m_errors;
};

} // namespace ridgepoint::app
