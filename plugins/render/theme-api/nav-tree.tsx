import type { VNode } from "preact";
import type { NavItem } from "../../content/contract.js";
import { inLanguage } from "./in-language.js";

/** Props of `NavTree`. */
interface NavTreeProps {
  items: readonly NavItem[];
  /** Route of the current page: its link is marked, its branch is open. */
  current: string;
  /** Address of a route (`props.href`). */
  href?: (route: string) => string;
  /** Levels below the first to show; default all. */
  levels?: number;
  /** Only the branch of the current page is expanded. */
  branchOnly?: boolean;
}

/** The navigation as nested lists of links. */
export function NavTree(props: NavTreeProps): VNode | null {
  const { items, current, href = asIs, levels = Infinity, branchOnly = false } = props;
  if (items.length === 0) return null;
  return (
    <ul>
      {items.map((item) => (
        <li key={item.route}>
          <a
            href={href(item.route)}
            {...inLanguage(item.lang)}
            aria-current={item.route === current ? "page" : undefined}
          >
            {item.title}
          </a>
          {levels > 0 && (!branchOnly || isBelow(current, item.route)) && (
            <NavTree {...props} items={item.children ?? []} levels={levels - 1} />
          )}
        </li>
      ))}
    </ul>
  );
}

function isBelow(route: string, ancestor: string): boolean {
  return route === ancestor || route.startsWith(`${ancestor}/`);
}

function asIs(route: string): string {
  return route;
}
