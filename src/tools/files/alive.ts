// Whether a process is there, by its id.

export function isAlive(pid: number): boolean {
  try {
    // Signal 0 is not sent: it only asks.
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
