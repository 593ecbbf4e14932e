import { Component, type ReactNode } from 'react'
import { AreaProblem } from '#web/admin/ui/query-boundary.tsx'

/** Catches errors outside the error boundaries of the router. */
export class ErrorBoundary extends Component<{ children: ReactNode }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <AreaProblem /> : this.props.children
  }
}
