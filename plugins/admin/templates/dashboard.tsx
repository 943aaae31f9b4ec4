import type { VNode } from "preact";
import type { DeliveryRecord } from "../../webhooks/contract.js";
import type { SearchSummary } from "../../search/contract.js";
import { Badge } from "./badge.js";
import { Deliveries } from "./deliveries.js";
import { Frame, type FrameProps } from "./frame.js";

/** Content of the dashboard. */
export interface DashboardProps {
  frame: Omit<FrameProps, "children">;
  notice: string | null;
  pages: { total: number; published: number; drafts: number };
  theme: string;
  plugins: readonly {
    name: string;
    version: string;
    state: string;
    error?: string;
    failingHooks?: readonly string[];
  }[];
  search: SearchSummary;
  deliveries: { items: readonly DeliveryRecord[]; total: number };
  mayRedeliver: boolean;
  /** Problems of content files; `place` is file and line. */
  problems: readonly {
    place: string;
    key?: string;
    severity: "error" | "warning";
    message: string;
    fix?: string;
  }[];
  recent: readonly {
    title: string;
    route: string;
    status: string;
    changed: string;
    url: string | null;
  }[];
}

/** The state of the site on one page. */
export function Dashboard(props: DashboardProps): VNode {
  const { frame, notice, pages, theme, plugins, search, deliveries } = props;
  const failed = plugins.filter(isTroubled);
  return (
    <Frame {...frame}>
      <h1>Dashboard</h1>
      {notice !== null && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <ul class="figures">
        <Figure
          label="Pages"
          value={pages.total}
          note={`${pages.published} published, ${pages.drafts} not`}
        />
        <Figure
          label="Searches"
          value={search.totalSearches}
          note={`${search.zeroResultQueries.length} queries found nothing`}
        />
        <Figure
          label="Deliveries"
          value={deliveries.total}
          note={`last 7 days, ${failedIn(deliveries.items)} failed`}
        />
        <Figure
          label="Plugins"
          value={plugins.length}
          note={failed.length === 0 ? "all well" : `${failed.length} in trouble`}
          isBad={failed.length > 0}
        />
      </ul>
      {props.problems.length > 0 && <Problems {...props} />}
      <div class="columns">
        <Recent {...props} />
        <Searches search={search} />
      </div>
      <Deliveries {...props} />
      <Plugins plugins={plugins} theme={theme} />
    </Frame>
  );
}

function Figure(props: { label: string; value: number; note: string; isBad?: boolean }): VNode {
  return (
    <li class={props.isBad === true ? "bad" : undefined}>
      <span class="label">{props.label}</span>
      <strong>{props.value.toLocaleString("en")}</strong>
      <span class="dim">{props.note}</span>
    </li>
  );
}

/** Maximum number of listed problems. */
const MAX_PROBLEMS = 20;

function Problems({ problems }: DashboardProps): VNode {
  const more = problems.length - MAX_PROBLEMS;
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">Content problems</h2>
      <ul class="rows">
        {problems.slice(0, MAX_PROBLEMS).map(({ place, key, severity, message, fix }) => (
          <li>
            <Badge text={severity} {...(severity === "error" && { kind: "failed" })} />
            <span class="grow">
              <strong class="path">{place}</strong> {key !== undefined && `(${key}) `}
              {message}
              {fix !== undefined && <span class="dim">{` Fix: ${fix}`}</span>}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="dim">{`${more} more: run site content:check`}</p>}
    </section>
  );
}

function Recent({ recent }: DashboardProps): VNode {
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">Changed last</h2>
      {recent.length === 0 && <p class="dim">There are no pages yet.</p>}
      <ul class="rows">
        {recent.map(({ title, route, status, changed, url }) => (
          <li>
            <span class="grow">
              {url === null ? title : <a href={url}>{title}</a>}{" "}
              <span class="dim path">{route}</span>
            </span>
            <Badge text={status} />
            <time class="dim" datetime={changed}>
              {changed.slice(0, 10)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Searches({ search }: { search: SearchSummary }): VNode {
  return (
    <section aria-labelledby="searches">
      <h2 id="searches">Searched for</h2>
      {search.topQueries.length === 0 && <p class="dim">No searches yet.</p>}
      <ul class="rows">
        {search.topQueries.slice(0, 8).map(({ query, count, avgResults }) => (
          <li>
            <span class="grow">{query}</span>
            {avgResults === 0 && <Badge text="found nothing" kind="failed" />}
            <span class="dim">{`${count} ×`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Plugins({ plugins, theme }: Pick<DashboardProps, "plugins" | "theme">): VNode {
  return (
    <section aria-labelledby="plugins">
      <h2 id="plugins">Plugins</h2>
      {theme !== "" && <p class="dim">{`Theme ${theme}`}</p>}
      <ul class="chips">
        {plugins.map((plugin) => (
          <li class={isTroubled(plugin) ? "bad" : undefined}>
            <span>{plugin.name}</span> <span class="dim">{plugin.version}</span>
            {isTroubled(plugin) && <span class="why">{plugin.error ?? trouble(plugin)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function isTroubled(plugin: DashboardProps["plugins"][number]): boolean {
  return plugin.state !== "active" || (plugin.failingHooks ?? []).length > 0;
}

function trouble({ state, failingHooks = [] }: DashboardProps["plugins"][number]): string {
  return failingHooks.length > 0 ? `fails in ${failingHooks.join(", ")}` : state;
}

function failedIn(items: readonly DeliveryRecord[]): number {
  return items.filter(({ finalStatus }) => finalStatus === "failed").length;
}
