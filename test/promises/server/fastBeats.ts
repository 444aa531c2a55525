// The engine process, whose seconds between two beats are hundredths: a host that counts the beats need not wait as long as it says.
const { setInterval: set } = globalThis;
const faster = (run: () => void, milliseconds: number) => set(run, milliseconds / 100);
Object.assign(globalThis, { setInterval: faster });
await import('../../../src/engine/worker/main.ts');
