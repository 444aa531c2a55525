// Checks a value of a setting with parts against its JSON schema, and says in words where it is wrong.
import { Ajv } from 'ajv';

const ajv = new Ajv({ strict: false });

/** What is wrong with the value, or null. */
export function problemIn(schema: object, value: unknown): string | null {
  const validate = ajv.compile(schema);
  if (validate(value)) return null;
  const { instancePath = '', message = 'it is not valid', params } = validate.errors?.[0] ?? {};
  const place = instancePath === '' ? 'it' : instancePath.slice(1).replaceAll('/', '.');
  const named = [params?.additionalProperty, params?.allowedValues].find((detail) => detail !== undefined);
  return `${place} ${message}${named === undefined ? '' : `: ${String(named)}`}`;
}
