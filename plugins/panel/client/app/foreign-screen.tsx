import type { VNode } from "preact";
import { may } from "../api/session.js";
import { Foreign, ForeignFailure } from "../parts/foreign.js";
import { t } from "./app-texts.js";
import { failures, findForeign, loading } from "./extensions.js";
import { address } from "./router.js";

/** A screen of a plugin's extension. */
export function ForeignScreen({ path }: { path: string }): VNode {
  const screen = findForeign(path);
  if (screen === null) return <h1>{t(loading.value > 0 ? "loading" : "notFound")}</h1>;
  if (!may(screen.permission)) return <h1>{t("forbidden")}</h1>;
  return (
    <Foreign key={path} from={screen.from}>
      <screen.view query={address.value.query} />
    </Foreign>
  );
}

/** What failed in extensions, above every screen. */
export function ForeignFailures(): VNode {
  const close = (): void => {
    failures.value = [];
  };
  return (
    <>
      {failures.value.map(({ from, message }) => (
        <ForeignFailure key={from.plugin + message} from={from} message={message} />
      ))}
      {failures.value.length > 0 && (
        <button type="button" onClick={close}>
          {t("extension.hide")}
        </button>
      )}
    </>
  );
}
