// Stores the abilities of models by the fingerprint of their files. Results of an older probe count as none.
import { abilitiesVersion, type ModelAbilities, type StoredAbilities } from '../core/abilities/abilities.ts';
import type { Connection } from './connection.ts';

export function abilitiesIn(connection: Connection): StoredAbilities {
  return {
    nature: (fingerprint) => {
      const row = connection.get(
        'SELECT json FROM nature WHERE fingerprint = ? AND version = ?',
        fingerprint,
        abilitiesVersion,
      );
      return row === null ? null : (JSON.parse(String(row.json)) as ModelAbilities);
    },
    paces: () => {
      const rows = connection.all('SELECT fingerprint, json FROM nature WHERE version = ?', abilitiesVersion);
      const paces = rows.map(({ fingerprint, json }) => {
        const { reading } = JSON.parse(String(json)) as ModelAbilities;
        return [String(fingerprint), reading] as const;
      });
      return Object.fromEntries(paces.filter(([, reading]) => reading > 0));
    },
    keepNature: (fingerprint, nature) =>
      connection.write(() => {
        const put = `INSERT INTO nature (fingerprint, version, json) VALUES (?, ?, ?)
          ON CONFLICT (fingerprint) DO UPDATE SET version = excluded.version, json = excluded.json`;
        connection.run(put, fingerprint, abilitiesVersion, JSON.stringify(nature));
      }),
  };
}
