import type { ComponentChildren, VNode } from "preact";
import { editPath, href } from "../app/router.js";
import { texts } from "../app/texts.js";
import de from "../locales/de/dashboard.json";
import en from "../locales/en/dashboard.json";
import { Loading, useLoaded } from "../parts/loading.js";
import { Moment } from "../parts/moment.js";
import { DeliveryBadge } from "./webhooks/delivery-badge.js";
import { call, type Answer } from "../api/request.js";

type PluginState = Answer<"GET /introspect">["plugins"][number];

const t = texts({ en, de });

/** Lists what `content:check` reports, errors first. */
export function Problems(): VNode {
  const problems = useLoaded("problems", () => call("GET /problems"));
  return (
    <Card title={t("problems")}>
      <Loading of={problems}>
        {({ items }) => (
          <>
            <Rows none={t("problems.none")} isEmpty={items.length === 0}>
              {items
                .toSorted((a, b) => a.severity.localeCompare(b.severity))
                .slice(0, MAX_ROWS)
                .map(({ sourcePath, line, severity, message }) => (
                  <PageLine
                    key={`${sourcePath} ${line} ${message}`}
                    path={sourcePath}
                    title={line === undefined ? sourcePath : `${sourcePath}:${line}`}
                  >
                    <span class={`badge ${severity === "error" ? "bad" : "warn"}`}>
                      {t(`problems.${severity}`)}
                    </span>{" "}
                    {message}
                  </PageLine>
                ))}
            </Rows>
            {items.length > MAX_ROWS && (
              <p class="dim">{t("problems.more", { n: items.length - MAX_ROWS })}</p>
            )}
          </>
        )}
      </Loading>
    </Card>
  );
}

/** Deliveries of webhooks that failed or wait. */
export function Deliveries(): VNode {
  const deliveries = useLoaded("deliveries", () => call("GET /webhooks/deliveries"));
  return (
    <Card title={t("deliveries")}>
      <Loading of={deliveries}>
        {({ items }) => {
          const open = items.filter(({ finalStatus }) => finalStatus !== "success");
          return (
            <Rows none={t("deliveries.none")} isEmpty={open.length === 0}>
              {open
                .slice(0, MAX_ROWS)
                .map(({ id, event, endpointLabel, endpointUrl, finalStatus, createdAt }) => (
                  <li key={id} class="page-line">
                    <a href={href(`/webhooks?delivery=${id}`)} data-screen>
                      {event}
                    </a>
                    <small class="dim break">
                      <DeliveryBadge state={finalStatus} /> {endpointLabel || endpointUrl} ·{" "}
                      <Moment at={createdAt} />
                    </small>
                  </li>
                ))}
            </Rows>
          );
        }}
      </Loading>
    </Card>
  );
}

/** Plugins that do not work as they should. */
export function Plugins(): VNode {
  const plugins = useLoaded("plugins", () =>
    call("GET /introspect").then(({ plugins }) => plugins),
  );
  return (
    <Card title={t("plugins")}>
      <Loading of={plugins}>
        {(all) => {
          const ill = all.filter((one) => troubleOf(one) !== null);
          return (
            <Rows none={t("plugins.none", { n: all.length })} isEmpty={ill.length === 0}>
              {ill.map((one) => (
                <li key={one.name} class="page-line">
                  <strong>{one.name}</strong>
                  <small class="dim break">{troubleOf(one)}</small>
                </li>
              ))}
            </Rows>
          );
        }}
      </Loading>
    </Card>
  );
}

function troubleOf({ state, error, failingHooks = [], problem }: PluginState): string | null {
  if (error !== undefined) return error;
  if (problem !== undefined) return problem;
  if (failingHooks.length > 0) return t("plugins.hooks", { hooks: failingHooks.join(", ") });
  return state === "failed" ? state : null;
}

/** Rows of a card. */
export const MAX_ROWS = 6;

interface CardProps {
  title: string;
  children: ComponentChildren;
}

/** A part of the dashboard. */
export function Card({ title, children }: CardProps): VNode {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface PageLineProps {
  /** A source path; a file that is no page has no link. */
  path: string;
  title: string;
  children?: ComponentChildren;
}

/** A line that opens the editor, when the path is that of a page. */
export function PageLine(props: PageLineProps): VNode {
  return (
    <li class="page-line">
      {props.path.endsWith(".md") ? (
        <a class="break" href={href(editPath(props.path))} data-screen>
          {props.title}
        </a>
      ) : (
        <span class="break">{props.title}</span>
      )}
      <small class="dim">{props.children}</small>
    </li>
  );
}

interface RowsProps {
  /** Shown in place of the rows. */
  none: string;
  isEmpty: boolean;
  children: ComponentChildren;
}

/** The rows of a card, or why there are none. */
export function Rows(props: RowsProps): VNode {
  return props.isEmpty ? <p class="dim">{props.none}</p> : <ul>{props.children}</ul>;
}
