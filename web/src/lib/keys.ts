/** Whether a key is for the page: not for a control, a dialog or the board, and no shortcut of the browser. */
export function isForPage(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  return !(target?.closest("input, select, textarea, dialog, .board") || event.ctrlKey || event.metaKey || event.altKey);
}
