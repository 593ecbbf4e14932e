import type { Extensions } from '@tiptap/core'
import Image from '@tiptap/extension-image'
import StarterKit from '@tiptap/starter-kit'

/** Allows https URLs, mailto links and paths of this site. */
export const isLink = (address: string) =>
  /^(https:\/\/[^\s]+\.[^\s]+|mailto:[^\s@]+@[^\s@]+|\/(?!\/)\S*)$/.test(address)

const localImagePath = /^\/media\/[0-9a-f]{64}\.[\w.]+$/

/** Only images of this site: visitors cannot load those of other sites. */
const LocalImage = Image.extend({
  parseHTML: () => [
    { tag: 'img[src]', getAttrs: (element) => (localImagePath.test(element.getAttribute('src') ?? '') ? null : false) },
  ],
})

/** Everything that the sanitiser of the server allows in a manifesto, and nothing else. */
export const extensions: Extensions = [
  StarterKit.configure({
    code: false,
    codeBlock: false,
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      HTMLAttributes: { target: null, rel: null },
      isAllowedUri: isLink,
      shouldAutoLink: isLink,
    },
  }),
  LocalImage,
]
