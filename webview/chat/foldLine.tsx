// Says that older turns are being compacted, while a summariser is asked.
import { t } from '../shared/l10n.ts';

export function FoldLine() {
  return (
    <div class="folding" role="status">
      <span class="codicon codicon-loading codicon-modifier-spin" /> {t('Folding older turns into a checkpoint…')}
    </div>
  );
}
