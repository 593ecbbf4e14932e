// The last resort of the area: whatever fails outside the router's own boundaries leaves a page that says what to do.
import { Component, type ReactNode } from 'react'
import { AreaProblem } from '#web/admin/ui/states.tsx'

export class ErrorBoundary extends Component<{ children: ReactNode }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <AreaProblem /> : this.props.children
  }
}
