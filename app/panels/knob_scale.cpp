// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/knob_scale.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint::app {

KnobScale::KnobScale(const Knob& knob)
    : m_minimum(knob.minimum), m_maximum(knob.maximum), m_log(knob.scale == Scale::log2 && knob.minimum > 0),
      m_integer(knob.integer), m_decimals(knob.integer ? 0 : knob.decimals)
{
    const double span = m_maximum - m_minimum;
    const double smallest = std::pow(10.0, -m_decimals);
    const double wanted = std::max(span / 100, smallest);
    const double power = std::pow(10.0, std::floor(std::log10(wanted) + 1e-9));
    m_step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (factor * power <= wanted * 1.001)
            m_step = factor * power;
    if (m_integer)
        m_step = std::max(1.0, std::round(m_step));
    if (!m_log && span / smallest < m_positions)
        m_positions = std::max(1, int(std::lround(span / smallest)));
}

double KnobScale::rounded(double value) const
{
    const double unit = std::pow(10.0, m_decimals);
    return std::clamp(std::round(value * unit) / unit, m_minimum, m_maximum);
}

double KnobScale::valueAt(int position) const
{
    const double share = std::clamp(double(position) / m_positions, 0.0, 1.0);
    return rounded(m_log ? m_minimum * std::pow(m_maximum / m_minimum, share) : m_minimum + share * (m_maximum - m_minimum));
}

int KnobScale::positionOf(double value) const
{
    value = std::clamp(value, m_minimum, m_maximum);
    const double share = m_log ? std::log(value / m_minimum) / std::log(m_maximum / m_minimum)
                               : (value - m_minimum) / std::max(m_maximum - m_minimum, 1e-300);
    return int(std::lround(share * m_positions));
}

double KnobScale::stepped(double value, int steps) const
{
    if (!m_log)
        return rounded(std::round((value + steps * m_step) / m_step) * m_step);
    const double exponent = std::log2(std::max(value, m_minimum));
    const double whole = steps > 0 ? std::floor(exponent + 1e-9) : std::ceil(exponent - 1e-9);
    return rounded(std::exp2(whole + steps));
}

} // namespace ridgepoint::app
