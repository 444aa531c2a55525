// Says that older turns are being folded, while a summariser is asked.

export function FoldLine() {
  return (
    <div class="folding" role="status">
      <span class="codicon codicon-loading codicon-modifier-spin" /> Folding older turns into a checkpoint…
    </div>
  );
}
