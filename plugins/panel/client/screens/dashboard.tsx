import { Check, Circle } from "lucide";
import type { ComponentChildren, VNode } from "preact";
import { type Answer, call } from "../api/request.js";
import { may, mayEverywhere, session } from "../api/session.js";
import { extensions } from "../app/extensions.js";
import { editPath, href } from "../app/router.js";
import { texts } from "../app/texts.js";
import { attempt } from "../app/toasts.js";
import de from "../locales/de/dashboard.json";
import en from "../locales/en/dashboard.json";
import { PageBadge } from "../parts/badge.js";
import { EventName } from "../parts/event-name.js";
import { Foreign } from "../parts/foreign.js";
import { Icon } from "../parts/icon.js";
import { Loading, useLoaded } from "../parts/loading.js";
import { fullMoment, Moment } from "../parts/moment.js";
import { DeliveryBadge } from "./webhooks/delivery-badge.js";

type FirstStep = Answer<"GET /me/first-steps">["steps"][number];

const ADDRESSES: Readonly<Record<FirstStep["name"], string>> = {
  password: "/account",
  title: "/settings/site",
  page: "/pages?new=1",
};
type PluginState = Answer<"GET /introspect">["plugins"][number];

const t = texts({ en, de });

/** Shows what waits for the person: working copies, reviews, the schedule, problems. */
export default function Dashboard(): VNode {
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("hello", { name: session.value?.user.name ?? "" })}</h1>
        {may("pages.create") && (
          <a class="button primary" href={`${href("/pages")}?new=1`} data-screen>
            {t("new")}
          </a>
        )}
      </header>
      <div class="cards">
        <FirstSteps />
        {may("pages.read") && (
          <>
            <Reviews />
            <Drafts />
            <Recent />
            <Scheduled />
          </>
        )}
        {mayEverywhere("pages.read") && <Problems />}
        {mayEverywhere("pages.read") && may("config.read") && (
          <>
            <Searches />
            <Deliveries />
            <Plugins />
          </>
        )}
        <ForeignCards />
      </div>
    </div>
  );
}

/** Cards of plugins. */
function ForeignCards(): VNode {
  return (
    <>
      {extensions.value.flatMap(({ from, cards = [] }) =>
        cards
          .filter(({ permission = "any" }) => may(permission))
          .map((card) => (
            <Card key={from.plugin + card.title} title={card.title}>
              <Foreign from={from}>
                <card.view />
              </Foreign>
            </Card>
          )),
      )}
    </>
  );
}

function Drafts(): VNode {
  const drafts = useLoaded("drafts", () => call("GET /drafts"));
  return (
    <Card title={t("drafts")}>
      <Loading of={drafts}>
        {({ items }) => (
          <Rows none={t("drafts.none")} isEmpty={items.length === 0}>
            {items.slice(0, MAX_ROWS).map((draft) => (
              <PageLine key={draft.sourcePath} path={draft.sourcePath} title={draft.title}>
                {draft.review !== null && (
                  <span class="badge warn">
                    {t(draft.review.sentBack === null ? "review" : "reviews.back")}
                  </span>
                )}{" "}
                {draft.author.name} · <Moment at={draft.updatedAt} />
              </PageLine>
            ))}
          </Rows>
        )}
      </Loading>
    </Card>
  );
}

/** Requests for a review that the person can answer, and answers to their own; absent without any. */
function Reviews(): VNode | null {
  const drafts = useLoaded("reviews", () => call("GET /drafts"));
  const own = session.value?.user.id;
  const found = (drafts.data?.items ?? []).flatMap((draft) => {
    const { sourcePath, title, review } = draft;
    if (review === null) return [];
    const { by, sentBack, requestedAt } = review;
    const isForMe =
      sentBack === null ? may("pages.publish", draft) || by.id === own : by.id === own;
    if (!isForMe) return [];
    const kind = sentBack !== null ? "back" : by.id === own ? "own" : "waits";
    return [{ sourcePath, title, kind, at: sentBack?.at ?? requestedAt, ...(sentBack ?? review) }];
  });
  if (found.length === 0) return null;
  return (
    <Card title={t("reviews")}>
      <ul>
        {found.slice(0, MAX_ROWS).map(({ sourcePath, title, kind, by, at, note }) => (
          <PageLine key={sourcePath} path={sourcePath} title={title} query="?review">
            {kind === "back" && <span class="badge warn">{t("reviews.back")}</span>}{" "}
            {t(kind === "own" ? "reviews.own" : "reviews.by", { name: by.name })} ·{" "}
            <Moment at={at} />
            {note !== "" && <q class="review-note">{note}</q>}
          </PageLine>
        ))}
      </ul>
      {found.length > MAX_ROWS && (
        <p class="dim">{t("reviews.more", { n: found.length - MAX_ROWS })}</p>
      )}
    </Card>
  );
}

function Recent(): VNode {
  const pages = useLoaded("recent", () =>
    call("GET /pages", { query: { sort: "changed", limit: MAX_ROWS } }),
  );
  return (
    <Card title={t("recent")}>
      <Loading of={pages}>
        {({ items }) => (
          <Rows none={t("recent.none")} isEmpty={items.length === 0}>
            {items.map((page) => (
              <PageLine key={page.sourcePath} path={page.sourcePath} title={page.title}>
                <PageBadge page={page} /> <Moment at={page.mtimeMs} />
              </PageLine>
            ))}
          </Rows>
        )}
      </Loading>
    </Card>
  );
}

function Scheduled(): VNode {
  const planned = useLoaded("planned", () => call("GET /workflow/scheduled"));
  return (
    <Card title={t("scheduled")}>
      <Loading of={planned}>
        {({ items }) => (
          <Rows none={t("scheduled.none")} isEmpty={items.length === 0}>
            {items.slice(0, MAX_ROWS).map((one) => (
              <PageLine key={one.sourcePath + one.action} path={one.sourcePath} title={one.title}>
                {t(`scheduled.${one.action}`, { time: fullMoment(one.scheduledAt) })}
                {one.problem !== null && <span class="badge bad">{t("problems.error")}</span>}
              </PageLine>
            ))}
            {items.length > 0 && (
              <li class="page-line">
                <a href={href("/planned")} data-screen>
                  {t("scheduled.all")}
                </a>
              </li>
            )}
          </Rows>
        )}
      </Loading>
    </Card>
  );
}

function Searches(): VNode {
  const searches = useLoaded("searches", () => call("GET /search/analytics"));
  return (
    <Card title={t("searches")}>
      <Loading of={searches}>
        {({ zeroResultQueries }) => (
          <Rows none={t("searches.none")} isEmpty={zeroResultQueries.length === 0}>
            {zeroResultQueries.slice(0, MAX_ROWS).map(({ query, count }) => (
              <li key={query} class="page-line">
                <span>{query}</span>
                <small class="dim">{t("searches.count", { n: count })}</small>
              </li>
            ))}
          </Rows>
        )}
      </Loading>
    </Card>
  );
}

/** Guides a new account through its first steps; hiding them is stored for the account. */
function FirstSteps(): VNode | null {
  const guide = useLoaded("first-steps", () => call("GET /me/first-steps"));
  if (guide.data === undefined || guide.data.dismissed) return null;
  // The button above the cards is the same single step: writing a page.
  if (guide.data.steps.every(({ name }) => name === "page")) return null;
  const hide = async (): Promise<void> => {
    if (await attempt(() => call("DELETE /me/first-steps"))) guide.reload();
  };
  return (
    <section class="card first-steps" aria-label={t("first.heading")}>
      <h2>{t("first.heading")}</h2>
      <ol>
        {guide.data.steps.map(({ name, done }) => (
          <li key={name}>
            <Icon of={done ? Check : Circle} />
            {done ? (
              <span class="dim">{t("first.done", { step: t(`first.${name}`) })}</span>
            ) : (
              <a href={href(ADDRESSES[name])} data-screen>
                {t(`first.${name}`)}
              </a>
            )}
          </li>
        ))}
      </ol>
      <button type="button" onClick={() => void hide()}>
        {t("first.hide")}
      </button>
    </section>
  );
}

/** Lists what `content:check` reports, errors first. */
function Problems(): VNode {
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
function Deliveries(): VNode {
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
                      <EventName event={event} />
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
function Plugins(): VNode {
  const plugins = useLoaded("plugins", () =>
    call("GET /introspect").then(({ plugins }) => plugins),
  );
  return (
    <Card title={t("plugins")}>
      <Loading of={plugins}>
        {(all) => {
          const ill = all.filter((one) => describeTrouble(one) !== null);
          return (
            <Rows none={t("plugins.none", { n: all.length })} isEmpty={ill.length === 0}>
              {ill.map((one) => (
                <li key={one.name} class="page-line">
                  <strong>{one.name}</strong>
                  <small class="dim break">{describeTrouble(one)}</small>
                </li>
              ))}
            </Rows>
          );
        }}
      </Loading>
    </Card>
  );
}

function describeTrouble({ state, error, failingHooks = [], problem }: PluginState): string | null {
  if (error !== undefined) return error;
  if (problem !== undefined) return problem;
  if (failingHooks.length > 0) return t("plugins.hooks", { hooks: failingHooks.join(", ") });
  return state === "failed" ? state : null;
}

/** Rows of a card. */
const MAX_ROWS = 6;

interface CardProps {
  title: string;
  children: ComponentChildren;
}

/** A part of the dashboard. */
function Card({ title, children }: CardProps): VNode {
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
  /** What the editor shows first: `?review`. */
  query?: string;
  children?: ComponentChildren;
}

/** A line that opens the editor, when the path is that of a page. */
function PageLine(props: PageLineProps): VNode {
  return (
    <li class="page-line">
      {props.path.endsWith(".md") ? (
        <a class="break" href={href(editPath(props.path)) + (props.query ?? "")} data-screen>
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
function Rows(props: RowsProps): VNode {
  return props.isEmpty ? <p class="dim">{props.none}</p> : <ul>{props.children}</ul>;
}
