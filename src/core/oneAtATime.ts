// Work that runs one at a time: what asks for it meanwhile has it run once more.
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let [runs, again] = [false, false];
  return async () => {
    again = true;
    if (runs) return;
    runs = true;
    try {
      while (again) {
        again = false;
        await work();
      }
    } finally {
      runs = false;
    }
  };
}
