const REFERENCE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/;

/** The variable name if the whole text is `$NAME` or `${NAME}`, else null. */
export function variableName(value: string): string | null {
  const match = REFERENCE.exec(value);
  return match?.[1] ?? match?.[2] ?? null;
}
