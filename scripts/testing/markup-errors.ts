import { HtmlValidate } from "html-validate";

const html = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: {
    // Style, not validity: these do not matter to browsers and readers.
    "attr-quotes": "off",
    "doctype-style": "off",
    "no-inline-style": "off",
    "no-trailing-whitespace": "off",
    "void-style": "off",
    "long-title": "off",
    "require-sri": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "no-implicit-button-type": "off",
    // HTML allows ">" in text, and the rule misreads scripts.
    "no-raw-characters": "off",
  },
});

/** Errors in the markup of a page, each with its rule and line. */
export async function markupErrors(address: string): Promise<string[]> {
  // The check takes longer than the server keeps idle connections.
  const response = await fetch(address, { headers: { connection: "close" } });
  const report = await html.validateString(await response.text());
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} (line ${line})`),
  );
}
