import type { VNode } from "preact";
import type { PageLink } from "../contract.js";
import { inLanguage } from "./in-language.js";

/** Props of `Breadcrumbs`. */
interface BreadcrumbsProps {
  items: readonly PageLink[];
  /** Accessible name of the list. */
  label?: string;
  class?: string;
}

/** The trail from the home page to this one; nothing for an empty trail. */
export function Breadcrumbs({ items, label, class: name }: BreadcrumbsProps): VNode | null {
  if (items.length < 2) return null;
  const last = items.length - 1;
  return (
    <nav class={name ?? "breadcrumbs"} aria-label={label ?? "Breadcrumbs"}>
      <ol>
        {items.map((item, index) => (
          <li key={item.url}>
            <a
              href={item.url}
              {...inLanguage(item.lang)}
              aria-current={index === last ? "page" : undefined}
            >
              {item.title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
