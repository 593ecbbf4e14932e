// Card of one content: its image, text and share buttons.
import type { Content } from '#contract/contents.ts'
import { twitterShare, whatsAppShare } from '#contract/share.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { ContentDescription } from '#web/pages/contents/content-description.tsx'
import { sourceSet } from '#web/pages/contents/content-image.ts'
import { DownloadButton, SendImageButton } from '#web/pages/contents/image-actions.tsx'
import { InstagramIcon, TwitterIcon, WhatsAppIcon } from '#web/ui/icons.tsx'
import { newTab } from '#web/ui/new-tab.ts'
import { WhatsAppLink } from '#web/ui/whatsapp-link.tsx'

export function ContentCard({ content }: { content: Content }) {
  const { site, profiles, publicUrl, path } = usePageContext()
  const { titulo, descricao, categoria, imagemUrl } = content
  const text = `${titulo}\n\n${descricao}\n`
  return (
    <li className="content">
      <div className="content-picture">
        <img
          src={imagemUrl}
          srcSet={sourceSet(imagemUrl)}
          sizes="(min-width: 64rem) 24rem, (min-width: 42rem) 46vw, 92vw"
          width={1080}
          height={1350}
          loading="lazy"
          decoding="async"
          alt={`Cartaz: ${titulo}`}
        />
        <p className="sticker">{categoria}</p>
      </div>
      <div className="content-text">
        <h2>{titulo}</h2>
        <ContentDescription title={titulo} text={descricao} />
      </div>
      <div className="content-ways">
        <WhatsAppLink
          className="button button-whatsapp"
          href={whatsAppShare({ text, url: publicUrl })}
          aria-label={`WhatsApp: compartilhar ${titulo}`}
        >
          <WhatsAppIcon /> WhatsApp
        </WhatsAppLink>
        <SendImageButton content={content} caption={`${text}\n${publicUrl}`} />
        <DownloadButton content={content} />
        {profiles?.instagram && (
          <a
            className="button"
            href={profiles.instagram}
            aria-label={`Instagram: nosso perfil, com ${titulo}`}
            {...newTab}
          >
            <InstagramIcon /> Instagram
          </a>
        )}
        <a
          className="button"
          href={twitterShare({ text: `${titulo} ${site.hashtag}`, url: `${publicUrl}${path}` })}
          aria-label={`Twitter: compartilhar ${titulo}`}
          {...newTab}
        >
          <TwitterIcon /> Twitter
        </a>
      </div>
    </li>
  )
}
