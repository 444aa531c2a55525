// Numbers that check themselves: cards by Luhn's sum (ISO/IEC 7812), bank accounts by the remainder of 97 (ISO 13616).

export function isCard(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce((all, digit, at) => {
    const counted = at % 2 === 1 ? digit * 2 : digit;
    return all + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return digits.length >= 13 && digits.length <= 19 && new Set(digits).size > 1 && sum % 10 === 0;
}

export function isAccount(text: string): boolean {
  const plain = text.replaceAll(' ', '');
  if (plain.length < 15 || plain.length > 34) return false;
  const turned = `${plain.slice(4)}${plain.slice(0, 4)}`;
  const digits = [...turned].map((sign) => Number.parseInt(sign, 36).toString()).join('');
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}
