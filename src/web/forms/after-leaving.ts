// The press that leaves a field must reach what it was meant for, before a remark about the field moves that down.
const pressMs = 300

export function afterLeaving(remark: () => unknown): void {
  setTimeout(remark, pressMs)
}
