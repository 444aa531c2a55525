// Waits until the browser has nothing else to do, or for a second.

/** Safari has no idle callbacks. */
export function idle(): Promise<unknown> {
  return new Promise((resolve) =>
    'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 1000 }) : setTimeout(resolve, 50),
  );
}
