/** Arrow keys move between the buttons of a toolbar, which is one stop for Tab. */
export function moveFocus(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const { currentTarget } = event;
  if (step === 0 || !(currentTarget instanceof HTMLElement)) return;
  const buttons = [...currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = buttons[(at + step + buttons.length) % buttons.length];
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next?.focus();
}
