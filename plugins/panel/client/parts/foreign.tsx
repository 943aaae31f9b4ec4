import { Component, type ComponentChildren, type VNode } from "preact";
import { failures, findForeign, loading, report } from "../app/extensions.js";
import { address } from "../app/router.js";
import { href } from "../app/router.js";
import { t } from "../app/texts.js";
import type { BootExtension } from "../boot.js";
import { may } from "../api/session.js";

interface ForeignProps {
  readonly from: BootExtension;
  readonly children: ComponentChildren;
  /** Shown in its place, below the reason. */
  readonly instead?: ComponentChildren;
}

/** A part of a plugin: when it throws, the reason stands in its place and the rest goes on. */
export class Foreign extends Component<ForeignProps, { message: string | null }> {
  override state = { message: null };

  override componentDidCatch(error: unknown): void {
    report(this.props.from, error);
    this.setState({ message: error instanceof Error ? error.message : String(error) });
  }

  override render(): ComponentChildren {
    const { from, children, instead } = this.props;
    const { message } = this.state;
    if (message === null) return children;
    return (
      <>
        <ForeignFailure from={from} message={message} />
        {instead}
      </>
    );
  }
}

interface ForeignFailureProps {
  from: BootExtension;
  message: string;
}

/** Names the plugin, its file and what happened. */
function ForeignFailure(props: ForeignFailureProps): VNode {
  const { plugin, file } = props.from;
  return (
    <p class="notice bad" role="alert">
      {t("extension.failed", { plugin, file, message: props.message })}
    </p>
  );
}

interface ForeignScreenProps {
  /** The shown address, below `{admin.path}`. */
  path: string;
}

/** A screen of a plugin's extension. */
export function ForeignScreen({ path }: ForeignScreenProps): VNode {
  const screen = findForeign(path);
  if (screen === null) {
    if (loading.value > 0) return <h1>{t("loading")}</h1>;
    return (
      <div class="stack">
        <h1>{t("notFound")}</h1>
        <p>
          <a href={href("/")} data-screen>
            {t("notFound.back")}
          </a>
        </p>
      </div>
    );
  }
  if (!may(screen.permission)) return <h1>{t("forbidden")}</h1>;
  return (
    <Foreign key={path} from={screen.from}>
      <screen.view query={address.value.query} />
    </Foreign>
  );
}

/** Shows the failures of extensions above every screen. */
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
