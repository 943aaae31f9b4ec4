/** What every screen receives. */
export interface ScreenProps {
  /** Values of the parameters in the screen's path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}
