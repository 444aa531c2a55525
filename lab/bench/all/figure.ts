// The figures that a bench stands for, each in a line of its own at its end: `npm run bench -- all` puts them into one table.

const mark = 'figure: ';

export function tellFigure(name: string, value: string): void {
  process.stdout.write(`${mark}${name}: ${value}\n`);
}

/** The figures that a bench told, each as its name and value. */
export function figuresIn(output: string): readonly (readonly [name: string, value: string])[] {
  return output.split('\n').flatMap((line) => {
    const [name, ...value] = line.startsWith(mark) ? line.slice(mark.length).split(': ') : [];
    return name === undefined ? [] : [[name, value.join(': ')] as const];
  });
}
