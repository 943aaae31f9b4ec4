/** The words for true and false. */
interface TruthWords {
  readonly yes: string;
  readonly no: string;
}

/** A value of a field as a text for people: lists with commas, maps line by line. */
export function readableValue(value: unknown, truth: TruthWords): string {
  if (typeof value === "boolean") return value ? truth.yes : truth.no;
  if (Array.isArray(value)) {
    const isPlain = value.every((one: unknown) => typeof one !== "object" || one === null);
    const texts = value.map((one: unknown) => readableValue(one, truth));
    return texts.join(isPlain ? ", " : "\n\n");
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, one]: [string, unknown]) => `${key}: ${readableValue(one, truth)}`)
      .join("\n");
  }
  return value === null || value === undefined ? "" : String(value);
}
