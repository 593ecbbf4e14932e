// Parts of a page that are in the document, but whose code the browser loads only when they come into view.
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { Static } from '#web/ui/static.tsx'

const loads: (() => Promise<unknown>)[] = []

/** The server calls this when it has loaded the page, which needs all parts at once. */
export const loadParts = () => Promise.all(loads.map((load) => load()))

interface Place {
  /** Class of the part. No other element of the page may have it. */
  place: string
}

/** `isInteractive`: the part does more with its code than the document shows. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isInteractive }: { isInteractive: boolean },
): ComponentType<Props & Place> {
  let loaded: ComponentType<Props> | undefined
  loads.push(async () => {
    loaded = await load()
  })

  return function LazyPart({ place: className, ...rest }: Props & Place) {
    const props = rest as unknown as Props
    const [Part, setPart] = useState<ComponentType<Props>>()
    const place = useRef<HTMLDivElement>(null)
    useEffect(() => {
      const element = place.current
      if (!element || (!isInteractive && element.textContent)) return
      const observer = new IntersectionObserver(
        ([entry]) => {
          // Without network the page stays as it is.
          if (!entry?.isIntersecting || !navigator.onLine) return
          observer.disconnect()
          load().then(
            (component) => setPart(() => component),
            () => {},
          )
        },
        { rootMargin: '50%' },
      )
      observer.observe(element)
      return () => observer.disconnect()
    }, [])
    // Two elements: React would not remove the HTML of the server from one that it keeps.
    if (Part) return <Part {...props} />
    const Known = loaded
    return (
      <div ref={place}>
        <Static className={className}>{RENDERS_STATIC && Known && <Known {...props} />}</Static>
      </div>
    )
  }
}
