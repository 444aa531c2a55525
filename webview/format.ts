// Numbers as people read them.

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (part / whole) * 100;
  return share > 0 && share < 1 ? '<1 %' : `${Math.round(share)} %`;
}
