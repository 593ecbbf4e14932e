/**
 * Reports uncaught errors. The code that sends them is loaded only when there is one.
 * `routeOf` returns the route pattern of the page, without the values of its parameters.
 */
export function reportErrors(routeOf: () => string | undefined): void {
  const report = (error: unknown) =>
    void import('#web/api/error-report.ts').then(
      ({ sendReport }) => sendReport(error, routeOf() ?? '/'),
      () => {},
    )
  addEventListener('error', ({ error }) => report(error))
  addEventListener('unhandledrejection', ({ reason }) => report(reason))
}
