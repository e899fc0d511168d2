// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/presets.h"
#include "core/validation/prediction.h"

#include <QDialog>
#include <memory>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
class QThread;

namespace ridgepoint::app {

class ChartView;

/// Predicts every row of a file of measurements and shows how far off the predictions are.
class ValidationDialog : public QDialog
{
    Q_OBJECT
public:
    ValidationDialog(const Presets& presets, QWidget* parent);
    ~ValidationDialog() override;

    void run(const QString& kind, const QString& file);

    [[nodiscard]] ChartView* chart() const { return m_chart; }
    [[nodiscard]] QTableWidget* table() const { return m_table; }
    [[nodiscard]] QString status() const;

Q_SIGNALS:
    void finished();

private:
    void start();
    void take(const Result<std::vector<Prediction>>& predictions);
    void fillQuantities();
    void fillKeys();
    void showResult();

    std::shared_ptr<const Presets> m_presets;   ///< shared with the worker
    std::vector<Prediction> m_predictions;
    QThread* m_worker = nullptr;
    QComboBox *m_kind, *m_quantity, *m_key;
    QLineEdit* m_file;
    QCheckBox* m_calibration;
    QPushButton* m_run;
    QLabel* m_status;
    ChartView* m_chart;
    QTableWidget* m_table;
};

} // namespace ridgepoint::app
