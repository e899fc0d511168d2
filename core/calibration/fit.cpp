// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/fit.h"

#include "core/hardware/kernel_constants.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double soft = 0.08;        ///< where the loss turns from squares to absolute values
constexpr double logSigma = 0.5;
constexpr double linearSigma = 0.25;
constexpr double largestResidual = 8.0;
constexpr double derivativeStep = 4e-3;

/// Robust loss and its weight in a least-squares step.
double loss(double residual)
{
    const double t = residual / soft;
    return 2.0 * soft * soft * (std::sqrt(1.0 + t * t) - 1.0);
}

double weightOf(double residual)
{
    const double t = residual / soft;
    return 1.0 / std::sqrt(1.0 + t * t);
}

/// log(predicted / measured), bounded so that one absurd row cannot stop a fit.
double residualOf(const OperatorRow& row, const AnyKernel& kernel)
{
    const double predicted = row.predict(kernel, *row.device);
    if (!(predicted > 0.0) || !std::isfinite(predicted))
        return largestResidual;
    return std::clamp(std::log(predicted / row.measured->value), -largestResidual, largestResidual);
}

/// The constants that move, as coordinates in which a unit step is about equally likely for each.
template <typename Kernel>
class Coordinates
{
public:
    Coordinates()
    {
        for (const KernelConstant<Kernel>& constant : kernelConstants<Kernel>())
            if (constant.scale != FitScale::fixed)
                m_constants.push_back(&constant);
    }

    [[nodiscard]] Eigen::Index size() const { return Eigen::Index(m_constants.size()); }

    [[nodiscard]] Eigen::VectorXd of(const Kernel& kernel) const
    {
        Eigen::VectorXd x(size());
        for (Eigen::Index i = 0; i < size(); ++i) {
            const auto& c = *m_constants[std::size_t(i)];
            const double value = std::clamp(c.get(kernel), c.fitLow, c.fitHigh);
            x[i] = c.scale == FitScale::logarithmic ? std::log(value) / logSigma : value / width(c);
        }
        return x;
    }

    void put(const Eigen::VectorXd& x, Kernel& kernel) const
    {
        for (Eigen::Index i = 0; i < size(); ++i) {
            const auto& c = *m_constants[std::size_t(i)];
            const double value = c.scale == FitScale::logarithmic ? std::exp(x[i] * logSigma) : x[i] * width(c);
            c.set(kernel, std::clamp(value, c.fitLow, c.fitHigh));
        }
    }

private:
    static double width(const KernelConstant<Kernel>& c) { return linearSigma * (c.fitHigh - c.fitLow); }

    std::vector<const KernelConstant<Kernel>*> m_constants;
};

template <typename Kernel>
Kernel fitted(const Kernel& start, const Kernel& prior, std::span<const OperatorRow* const> rows,
              const FitSettings& settings)
{
    const Coordinates<Kernel> coordinates;
    const Eigen::Index unknowns = coordinates.size();
    const auto count = Eigen::Index(rows.size());
    const Eigen::VectorXd wanted = coordinates.of(prior);
    AnyKernel trial = start;
    auto& kernel = std::get<Kernel>(trial);

    const auto residuals = [&](const Eigen::VectorXd& x) {
        coordinates.put(x, kernel);
        Eigen::VectorXd r(count);
        for (Eigen::Index i = 0; i < count; ++i)
            r[i] = residualOf(*rows[std::size_t(i)], trial);
        return r;
    };
    const auto costOf = [&](const Eigen::VectorXd& r, const Eigen::VectorXd& x) {
        double sum = settings.pull * (x - wanted).squaredNorm();
        for (Eigen::Index i = 0; i < count; ++i)
            sum += loss(r[i]);
        return sum;
    };
    // What lies outside the bounds is the bound.
    const auto bounded = [&](const Eigen::VectorXd& x) {
        coordinates.put(x, kernel);
        return coordinates.of(kernel);
    };

    Eigen::VectorXd x = coordinates.of(start);
    Eigen::VectorXd r = residuals(x);
    double cost = costOf(r, x);
    double damping = 1e-2;
    for (int iteration = 0; iteration < settings.iterations; ++iteration) {
        Eigen::MatrixXd slopes(count, unknowns);
        for (Eigen::Index j = 0; j < unknowns; ++j) {
            Eigen::VectorXd moved = x;
            moved[j] += derivativeStep / logSigma;
            Eigen::VectorXd reached = bounded(moved);
            if (reached[j] - x[j] < 0.1 * derivativeStep) {   // at the upper bound: look down
                moved[j] = x[j] - derivativeStep / logSigma;
                reached = bounded(moved);
            }
            const double step = reached[j] - x[j];
            if (step == 0.0)
                slopes.col(j).setZero();
            else
                slopes.col(j) = (residuals(reached) - r) / step;
        }
        Eigen::VectorXd weights(count);
        for (Eigen::Index i = 0; i < count; ++i)
            weights[i] = weightOf(r[i]);
        Eigen::MatrixXd normal = slopes.transpose() * weights.asDiagonal() * slopes;
        Eigen::VectorXd gradient = slopes.transpose() * weights.cwiseProduct(r) + settings.pull * (x - wanted);
        normal.diagonal().array() += settings.pull;

        const double before = cost;
        for (int attempt = 0; attempt < 8; ++attempt) {
            Eigen::MatrixXd damped = normal;
            damped.diagonal() += damping * normal.diagonal() + Eigen::VectorXd::Constant(unknowns, 1e-9);
            const Eigen::VectorXd next = bounded(x - damped.ldlt().solve(gradient));
            const Eigen::VectorXd nextResiduals = residuals(next);
            const double nextCost = costOf(nextResiduals, next);
            if (nextCost < cost) {
                x = next;
                r = nextResiduals;
                cost = nextCost;
                damping = std::max(1e-6, damping / 3.0);
                break;
            }
            damping *= 4.0;
        }
        if (before - cost < 1e-4 * before)
            break;
    }
    coordinates.put(x, kernel);
    return kernel;
}

} // namespace

AnyKernel fitConstants(const AnyKernel& start, const AnyKernel& prior, std::span<const OperatorRow* const> rows,
                       const FitSettings& settings)
{
    if (rows.empty())
        return start;
    const AnyKernel plain = withResidual(start, {});
    return std::visit(
        [&]<typename Kernel>(const Kernel& kernel) {
            return AnyKernel(fitted<Kernel>(kernel, std::get<Kernel>(prior), rows, settings));
        },
        plain);
}

double fitCost(const AnyKernel& kernel, std::span<const OperatorRow* const> rows)
{
    double sum = 0.0;
    for (const OperatorRow* row : rows)
        sum += loss(residualOf(*row, kernel));
    return sum;
}

std::vector<double> logResiduals(const AnyKernel& kernel, std::span<const OperatorRow* const> rows)
{
    std::vector<double> residuals;
    residuals.reserve(rows.size());
    for (const OperatorRow* row : rows)
        residuals.push_back(-residualOf(*row, kernel));
    return residuals;
}

SharedResidual fitResidual(const std::array<ResidualGrid::Axis, 3>& axes, std::span<const OperatorRow* const> rows,
                           std::span<const double> residuals)
{
    constexpr double smoothness = 0.3;   ///< of a second difference
    constexpr double shrinkage = 0.1;    ///< towards no residual
    constexpr double clip = 0.7;
    ResidualGrid grid{.axes = axes, .values = {}};
    const std::array<int, 3> knots{axes[0].knots, axes[1].knots, axes[2].knots};
    const Eigen::Index size = Eigen::Index(knots[0]) * knots[1] * knots[2];
    if (size <= 1)
        return {};

    std::vector<ResidualGrid::Corners> corners;
    corners.reserve(rows.size());
    for (const OperatorRow* row : rows)
        corners.push_back(grid.corners(row->shape[0], row->shape[1], row->shape[2]));

    Eigen::MatrixXd penalty = Eigen::MatrixXd::Identity(size, size) * shrinkage;
    const std::array<Eigen::Index, 3> stride{1, knots[0], Eigen::Index(knots[0]) * knots[1]};
    for (Eigen::Index at = 0; at < size; ++at)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Eigen::Index place = at / stride[axis] % knots[axis];
            if (place == 0 || place + 1 >= knots[axis])
                continue;
            const std::array<Eigen::Index, 3> index{at - stride[axis], at, at + stride[axis]};
            const std::array<double, 3> difference{1.0, -2.0, 1.0};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    penalty(index[i], index[j]) += smoothness * difference[i] * difference[j];
        }

    Eigen::VectorXd values = Eigen::VectorXd::Zero(size);
    for (int pass = 0; pass < 3; ++pass) {
        Eigen::MatrixXd normal = penalty;
        Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const ResidualGrid::Corners& c = corners[i];
            const double residual = std::clamp(residuals[i], -clip, clip);
            double now = 0.0;
            for (std::size_t a = 0; a < 8; ++a)
                now += c.weight[a] * values[Eigen::Index(c.index[a])];
            const double weight = weightOf(residual - now);
            for (std::size_t a = 0; a < 8; ++a) {
                right[Eigen::Index(c.index[a])] += weight * c.weight[a] * residual;
                for (std::size_t b = 0; b < 8; ++b)
                    normal(Eigen::Index(c.index[a]), Eigen::Index(c.index[b])) += weight * c.weight[a] * c.weight[b];
            }
        }
        values = normal.ldlt().solve(right);
    }
    grid.values.resize(std::size_t(size));
    for (std::size_t i = 0; i < grid.values.size(); ++i)
        grid.values[i] = std::round(1000.0 * values[Eigen::Index(i)]) / 1000.0;   // as files hold it
    return {std::make_shared<const ResidualGrid>(std::move(grid))};
}

AnyKernel withResidual(AnyKernel kernel, const SharedResidual& residual)
{
    std::visit(
        [&](auto& value) {
            if constexpr (requires { value.residual; })
                value.residual = residual;
        },
        kernel);
    return kernel;
}

} // namespace ridgepoint
