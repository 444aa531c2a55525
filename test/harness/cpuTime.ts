// The time that the processor worked on something: what else runs on the machine does not count, so a limit holds on a busy one, too.

/** Milliseconds of this process while `work` runs; it must not wait for anything. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
