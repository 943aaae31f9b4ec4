import { signal } from "@preact/signals";
import { ExternalLink, LogOut, Menu, Puzzle, Search, UserRound, X, type IconNode } from "lucide";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { boot, siteHref } from "../boot.js";
import { ForeignFailures, ForeignScreen } from "../parts/foreign.js";
import { Icon } from "../parts/icon.js";
import { lazyDialog } from "../parts/loading.js";
import { findForeign, foreignScreens } from "./extensions.js";
import { closeOverlay, openHelp, openPalette, overlay } from "./overlay.js";
import { address, href } from "./router.js";
import { COLOR_SCHEMES, colorScheme, setColors } from "./colors.js";
import { findScreen, maySee, screens, type Screen } from "./screens.js";
import { SignInAgain } from "./sign-in-again.js";
import { language, LANGUAGES, setLanguage, t } from "./texts.js";
import { Toasts } from "./toasts.js";
import { may, session, signOut } from "../api/session.js";

const Palette = lazyDialog(() => import("../screens/palette.js"));
const Help = lazyDialog(async () => ({
  default: (await import("../screens/palette.js")).Help,
}));
const isMenuOpen = signal(false);

/** The frame of all screens: menu, the screen, messages. */
export function Shell(): VNode {
  const { path } = address.value;
  useEffect(() => {
    isMenuOpen.value = false;
  }, [path]);
  const shown = findScreen(path);
  const title =
    shown === null ? (findForeign(path)?.label ?? t("notFound")) : t(shown.screen.label);
  useEffect(() => {
    document.title = `${title} · ${boot.title}`;
  }, [title]);
  return (
    <div class={`shell ${isMenuOpen.value ? "menu-open" : ""}`}>
      <a class="skip" href="#main">
        {t("skip")}
      </a>
      <TopBar />
      <Navigation path={path} />
      <main id="main" tabIndex={-1}>
        <ForeignFailures />
        {shown === null ? <ForeignScreen path={path} /> : <Shown found={shown} />}
      </main>
      <Toasts />
      <SignInAgain />
      <Overlays />
    </div>
  );
}

interface ShownProps {
  found: NonNullable<ReturnType<typeof findScreen>>;
}

function Shown({ found: match }: ShownProps): VNode | null {
  const { screen, params } = match;
  if (!maySee(screen)) return <h1>{t("forbidden")}</h1>;
  return <screen.view key={address.value.opened} params={params} query={address.value.query} />;
}

/** The bar of narrow windows. */
function TopBar(): VNode {
  const isOpen = isMenuOpen.value;
  return (
    <header class="top-bar">
      <button
        type="button"
        class="icon"
        aria-label={t("menu")}
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => (isMenuOpen.value = !isOpen)}
      >
        <Icon of={isOpen ? X : Menu} size={22} />
      </button>
      <span class="brand">{boot.title}</span>
      <button type="button" class="icon" aria-label={t("palette.open")} onClick={openPalette}>
        <Icon of={Search} size={20} />
      </button>
    </header>
  );
}

interface PathProps {
  /** The shown address, below `{admin.path}`. */
  path: string;
}

function Navigation({ path }: PathProps): VNode {
  return (
    <nav id="menu" class="menu" aria-label={t("menu")}>
      <a class="brand" href={href("/")} data-screen>
        {boot.title}
      </a>
      <button type="button" class="search-button" onClick={openPalette}>
        <Icon of={Search} size={16} />
        <span>{t("palette.open")}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div class="menu-entries">
        <Group name="write" path={path} />
        <Group name="site" path={path} />
        <PluginEntries path={path} />
      </div>
      <footer>
        <a href={siteHref("/")}>
          <Icon of={ExternalLink} />
          {t("viewSite")}
        </a>
        <Entry path="/account" icon={UserRound} isCurrent={path === "/account"}>
          {session.value?.user.name ?? ""}
        </Entry>
        <div class="menu-choices">
          <LanguageChoice />
          <ColorChoice />
        </div>
        <button type="button" class="entry" onClick={() => void signOut()}>
          <Icon of={LogOut} />
          {t("signOut")}
        </button>
      </footer>
    </nav>
  );
}

/** Pages of plugins, and screens of their extensions. */
function PluginEntries({ path }: PathProps): VNode | null {
  const screens = foreignScreens().filter(({ permission }) => may(permission));
  if (boot.menu.length + screens.length === 0) return null;
  return (
    <section>
      <h2>{t("nav.more")}</h2>
      {screens.map((screen) => (
        <Entry key={screen.path} path={screen.path} icon={Puzzle} isCurrent={path === screen.path}>
          {screen.label}
        </Entry>
      ))}
      {boot.menu.map((page) => (
        <a key={page.path} href={siteHref(page.path)}>
          {page.label}
        </a>
      ))}
    </section>
  );
}

function LanguageChoice(): VNode {
  return (
    <select
      aria-label={t("language")}
      value={language}
      onChange={(event) => setLanguage(event.currentTarget.value)}
    >
      {Object.entries(LANGUAGES).map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}

function ColorChoice(): VNode {
  return (
    <select
      aria-label={t("colors")}
      value={colorScheme.value}
      onChange={(event) => setColors(event.currentTarget.value)}
    >
      {COLOR_SCHEMES.map((name) => (
        <option key={name} value={name}>
          {t(`colors.${name}`)}
        </option>
      ))}
    </select>
  );
}

interface GroupProps {
  name: "write" | "site";
  /** The shown address, whose entry is marked. */
  path: string;
}

function Group({ name, path }: GroupProps): VNode | null {
  const entries = screens.filter((screen) => screen.menu?.group === name && maySee(screen));
  if (entries.length === 0) return null;
  return (
    <section>
      <h2>{t(`nav.${name}`)}</h2>
      {entries.map((screen) => (
        <MenuEntry key={screen.path} screen={screen} path={path} />
      ))}
    </section>
  );
}

interface MenuEntryProps {
  screen: Screen;
  /** The shown address, whose entry is marked. */
  path: string;
}

function MenuEntry({ screen, path }: MenuEntryProps): VNode | null {
  if (screen.menu === undefined) return null;
  const isBelow = screen.path !== "/" && path.startsWith(`${screen.path}/`);
  const isEditor = screen.path === "/pages" && path.startsWith("/edit/");
  return (
    <Entry
      path={screen.path}
      icon={screen.menu.icon}
      isCurrent={path === screen.path || isBelow || isEditor}
    >
      {t(screen.label)}
    </Entry>
  );
}

interface EntryProps {
  /** Below `{admin.path}`. */
  path: string;
  icon: IconNode;
  isCurrent: boolean;
  children: string;
}

function Entry(props: EntryProps): VNode {
  return (
    <a href={href(props.path)} data-screen aria-current={props.isCurrent ? "page" : undefined}>
      <Icon of={props.icon} />
      {props.children}
    </a>
  );
}

/** The command palette and the list of shortcuts, opened by keys. */
function Overlays(): VNode | null {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  if (overlay.value === "palette") return <Palette onClose={closeOverlay} />;
  if (overlay.value === "help") return <Help onClose={closeOverlay} />;
  return null;
}

function onKey(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key.toLowerCase() === "k" && !event.shiftKey) {
    event.preventDefault();
    if (overlay.value === "palette") closeOverlay();
    else openPalette();
  } else if (event.key === "?" && !isTyping(event.target)) {
    event.preventDefault();
    openHelp();
  }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
