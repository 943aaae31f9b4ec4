import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../../../app/texts.js";
import { done } from "../../../app/toasts.js";
import { ApiError, call } from "../../../api/request.js";
import { loadPageTypes } from "../../../api/page-types.js";
import { may } from "../../../api/session.js";
import de from "../../../locales/de/place.json";
import en from "../../../locales/en/place.json";
import { FormDialog } from "../../../parts/forms.js";
import { Failure, useLoaded } from "../../../parts/loading.js";
import { PagePicker } from "../../pages/page-picker.js";
import { refreshLive } from "../publish/page-actions.js";
import type { EditSession } from "../saving/edit-session.js";

const t = texts({ en, de });
/** The preview waits while one types. */
const WAIT_MS = 250;
const MAX_SHOWN = 8;

interface PlaceProps {
  session: EditSession;
  /** Name of the page type. */
  template: string;
}

/** The address and the type of the page, with buttons that change them. */
export default function PagePlace({ session, template }: PlaceProps): VNode {
  const [asks, setAsks] = useState<"address" | "type" | null>(null);
  const types = useLoaded("types", loadPageTypes).data;
  const { route } = session.live.value;
  const label = types?.items.find((one) => one.template === template)?.label ?? template;
  const mayChange = may("pages.update", session.live.value);
  return (
    <dl class="page-place">
      <dt>{t("address")}</dt>
      <dd>
        <bdi>{route}</bdi>
        {mayChange && route !== "/" && (
          <button type="button" class="link" onClick={() => setAsks("address")}>
            {t("address.change")}
          </button>
        )}
      </dd>
      <dt>{t("type")}</dt>
      <dd>
        <span>{label}</span>
        {mayChange && (
          <button type="button" class="link" onClick={() => setAsks("type")}>
            {t("type.change")}
          </button>
        )}
      </dd>
      {asks === "address" && <ChangeAddress session={session} onClose={() => setAsks(null)} />}
      {asks === "type" && (
        <ChangeType session={session} template={template} onClose={() => setAsks(null)} />
      )}
    </dl>
  );
}

interface DialogProps {
  session: EditSession;
  onClose(): void;
}

/** Asks for the page above and the end of the address, and shows what changes with them. */
function ChangeAddress({ session, onClose }: DialogProps): VNode {
  const { route } = session.live.value;
  const above = route.slice(0, route.lastIndexOf("/")) || "/";
  const name = route.slice(route.lastIndexOf("/") + 1);
  const [parent, setParent] = useState(above);
  const [segment, setSegment] = useState(name);
  const place = {
    ...(parent !== above && { parent }),
    ...(segment.trim() !== name && segment.trim() !== "" && { segment: segment.trim() }),
  };
  return (
    <FormDialog
      title={t("address.title")}
      action={t("address.action")}
      onClose={onClose}
      onSubmit={async (form) => {
        if (Object.keys(place).length === 0) return;
        await session.flush();
        const redirect = form.get("redirect") !== null;
        await session.act(async () => {
          const { path } = session;
          const { moves } = await call("POST /pages/move", { body: { path, ...place, redirect } });
          await follow(session, moves);
        });
        done(t("address.done"));
      }}
    >
      <label>
        {t("address.segment")}
        <input
          value={segment}
          required
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setSegment(event.currentTarget.value)}
        />
      </label>
      <details>
        <summary>
          {t("address.parent", { route: parent === "/" ? t("address.top") : parent })}
        </summary>
        <PagePicker
          legend={t("address.below")}
          parent={above}
          isPossible={(page) => page.route !== route && !page.route.startsWith(`${route}/`)}
          onChoose={setParent}
        />
      </details>
      <Preview path={session.path} place={place} />
      <label class="inline">
        <input type="checkbox" name="redirect" defaultChecked />
        {t("address.redirect")}
      </label>
    </FormDialog>
  );
}

interface PreviewProps {
  path: string;
  place: { readonly parent?: string; readonly segment?: string };
}

/** The old and new addresses, and how many pages have links that change; tried on the server without a change. */
function Preview({ path, place }: PreviewProps): VNode | null {
  const asked = useLater(JSON.stringify(place));
  const tried = useLoaded(asked, async () => {
    if (asked === "{}") return null;
    const body = { path, ...place };
    return call("POST /pages/move", { query: { dry_run: "true" }, body });
  });
  if (tried.error !== null && !tried.isLoading) return <Failure error={tried.error} />;
  if (tried.data === undefined || tried.data === null)
    return <p class="dim">{t("preview.none")}</p>;
  const addresses = Object.entries(tried.data.addresses);
  return (
    <div class="address-preview" role="status">
      <ul>
        {addresses.slice(0, MAX_SHOWN).map(([from, to]) => (
          <li key={from}>
            <bdi>{from}</bdi> →{" "}
            <strong>
              <bdi>{to}</bdi>
            </strong>
          </li>
        ))}
      </ul>
      {addresses.length > MAX_SHOWN && (
        <p>{t("preview.more", { n: addresses.length - MAX_SHOWN })}</p>
      )}
      <p>{t("preview.links", { n: tried.data.rewritten.length })}</p>
    </div>
  );
}

/** The value once it has been the same for a moment. */
function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), WAIT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

interface TypeProps extends DialogProps {
  template: string;
}

function ChangeType({ session, template, onClose }: TypeProps): VNode {
  const types = useLoaded("types", loadPageTypes).data;
  const items = types?.items ?? [];
  const names = [template, ...items.map((one) => one.template), ...(types?.templates ?? [])];
  return (
    <FormDialog
      title={t("type.title")}
      action={t("type.action")}
      onClose={onClose}
      onSubmit={async (form) => {
        const wanted = String(form.get("template"));
        if (wanted === template) return;
        await session.flush();
        await session.act(async () => {
          const { path } = session;
          const operations = [{ op: "type", path, template: wanted }] as const;
          const { results } = await call("POST /batch", { body: { operations } });
          const [result] = results;
          if (result?.status === "error") throw new ApiError(result.code ?? 400, { ...result });
          await follow(session, [{ path, to: result?.movedTo ?? path }]);
        });
        done(t("type.done"));
      }}
    >
      <p>{t("type.why")}</p>
      <label>
        {t("type")}
        <select name="template" defaultValue={template} key={names.length}>
          {[...new Set(names)].map((name) => (
            <option key={name} value={name}>
              {items.find((one) => one.template === name)?.label ?? name}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}

/** The editor goes on with the page at its new path. */
async function follow(
  session: EditSession,
  moves: readonly { readonly path: string; readonly to: string }[],
): Promise<void> {
  const { path } = session;
  const move = moves.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  // A new `slug` leaves the file where it is.
  const isMoved = move !== undefined && move.to !== move.path;
  if (isMoved) session.moveTo(move.to + path.slice(move.path.length));
  await refreshLive(session);
}
