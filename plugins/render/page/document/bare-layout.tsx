import type { ComponentChildren, VNode } from "preact";

/** The layout for themes without one. */
export function BareLayout(props: Record<string, unknown>): VNode {
  const { lang, dir, pageTitle, children } = props;
  return (
    <html lang={toText(lang)} dir={dir === "rtl" ? "rtl" : undefined}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{toText(pageTitle)}</title>
      </head>
      <body>
        <main>{toChildren(children)}</main>
      </body>
    </html>
  );
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function toChildren(value: unknown): ComponentChildren {
  if (Array.isArray(value)) return value;
  return typeof value === "object" && value !== null ? value : toText(value);
}
