export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
