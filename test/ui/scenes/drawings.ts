// Answers with formulas, as models write them.

const tex = String.raw;

export const formulas = tex`The roots are $x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}$, as long as $a \neq 0$, and \(e^{i\pi} + 1 = 0\) anyway. It costs $5 or $10.

$$
\begin{aligned}
\nabla \cdot \mathbf{E} &= \frac{\rho}{\varepsilon_0} \\
\nabla \times \mathbf{B} &= \mu_0 \mathbf{J} + \mu_0 \varepsilon_0 \frac{\partial \mathbf{E}}{\partial t}
\end{aligned}
$$

\[
R = \begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix},
\qquad |x| = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}
\]

- In a list: $\sum_{i=1}^{n} i = \frac{n(n+1)}{2}$ and

  $$ \int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2} $$

- The softmax is $$\sigma(z)_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$$ for all $i$.

| name | formula |
|---|---|
| norm | $\lVert x \rVert_2 = \sqrt{\sum x_i^2}$ |
| boxed | $\boxed{\hat{y} = \overline{ab}}$ |

$$ f(x) = a_0 + a_1 x + a_2 x^2 + a_3 x^3 + a_4 x^4 + a_5 x^5 + a_6 x^6 + a_7 x^7 + a_8 x^8 + a_9 x^9 $$

And $\wrong{x}$ stays.`;
