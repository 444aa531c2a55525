// Data about people: nothing that opens anything, but nothing that should be kept without having been asked about either.

interface Personal {
  readonly words: string;
  readonly pattern: RegExp;
}

const month =
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|februar|märz|mai|juni|juli|august|oktober|dezember)[a-z]{0,7}';
const date = `(?:\\d{4}-\\d{1,2}-\\d{1,2}|\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{1,2}(?:st|nd|rd|th)?\\.? ${month},? \\d{4}|${month} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})`;

const kinds: readonly Personal[] = [
  {
    words: 'an e-mail address',
    pattern:
      /(?<![\w.@/:-])[\w.+-]{1,64}@(?!(?:[\w-]+\.)*(?:example|test|localhost|invalid)\b(?:\.(?:com|org|net))?(?![\w.-]))[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,4}\.[a-z]{2,12}(?![\w/:-])/i,
  },
  {
    words: 'a telephone number',
    pattern: /(?<![\w.+-])\+\d{1,3}[ ./-]?\(?\d{1,5}\)?(?:[ ./-]?\d{2,5}){2,4}(?![\w.-]|:\d)/,
  },
  { words: 'a telephone number', pattern: /(?<![\w.])\(\d{2,5}\) ?\d{3,4}[ -]\d{3,5}(?![\w.-])/ },
  {
    words: 'a telephone number',
    pattern:
      /\b(?:phone|call|mobile|cell|telephone|tel|fax|telefon|handy|anrufen|rufnummer|whatsapp|durchwahl)\b[^\n\d]{0,40}\+?\d[\d ()./-]{6,18}\d(?![\w-])/i,
  },
  {
    words: 'a date of birth',
    pattern: new RegExp(
      `\\b(?:born|birth(?:day|date)?|dob|geboren|geburtstag|geburtsdatum)\\b[^\\n]{0,40}?${date}`,
      'i',
    ),
  },
  {
    words: 'a postal address',
    pattern: /\b\p{Lu}[\p{L}-]{1,40}(?:stra(?:ss|ß)e|str\.|weg|allee|platz|gasse|ring|damm|ufer) \d{1,4}\s?[a-z]?\b/u,
  },
  {
    words: 'a postal address',
    pattern:
      /\b\d{1,5} (?:\p{Lu}[\p{L}.]{1,30} ){1,4}(?:Street|St\.?|Avenue|Ave\.?|Road|Rd\.?|Lane|Drive|Boulevard|Blvd\.?|Court|Square)(?![\p{L}])/u,
  },
  {
    words: 'an official number of a person',
    pattern:
      /\b(?:passport|tax (?:id|number)|national id|identity card|id card|driv(?:er'?s|ing) licen[cs]e|insurance|social insurance|patient|health|steuer-?id|steuernummer|personalausweis|ausweis|reisepass|versicherungs?|sozialversicherungs?)(?:nummer| number| no\.?| id| card)?\b[^\n\d]{0,30}?(?=[A-Z\d ]{0,4}\d)[A-Z\d](?:[ -]?[A-Z\d]){5,14}\b/i,
  },
];

/** In words; null for none. */
export function personalIn(text: string): string | null {
  return kinds.find(({ pattern }) => pattern.test(text))?.words ?? null;
}
