// Listens for errors that nothing has caught. What reports them is loaded when there is one.

/** `routeOf` answers the pattern of the page's address, without what stands for its names. */
export function reportErrors(routeOf: () => string | undefined): void {
  const report = (error: unknown) =>
    void import('#web/api/error-report.ts').then(
      ({ sendReport }) => sendReport(error, routeOf() ?? '/'),
      () => {},
    )
  addEventListener('error', ({ error }) => report(error))
  addEventListener('unhandledrejection', ({ reason }) => report(reason))
}
