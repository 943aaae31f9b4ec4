import { addressIn } from "#theme";
import type { TemplateProps } from "#theme";
import { Icon } from "./icon.js";
import { listOf, toText } from "./values.js";

interface ActionsProps {
  /** A list of `{ label, url }`. */
  actions: unknown;
  href: TemplateProps["href"];
}

/** Links as buttons; the first one stands out. */
export function Actions({ actions, href }: ActionsProps) {
  const links = listOf(actions).map(toAction);
  if (links.length === 0) return null;
  return (
    <p class="actions">
      {links.map(({ label, url }, index) => (
        <a key={url} class={index === 0 ? "button primary" : "button"} href={addressIn(href, url)}>
          {label}
          {index === 0 && <Icon name="arrow" />}
        </a>
      ))}
    </p>
  );
}

function toAction(value: Readonly<Record<string, unknown>>) {
  const url = toText(value["url"]);
  return { label: toText(value["label"]), url: /^(?:\/|#|https?:|mailto:)/i.test(url) ? url : "/" };
}
