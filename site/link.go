package site

import (
	"fmt"
	"path"
	"strings"
)

// resolve is the address on the site of a link of a page, and the attributes
// of its class.
func (b *builder) resolve(from *page, target string) (address, class string, err error) {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return target, ` class="out"`, nil
	}
	file, fragment, _ := strings.Cut(target, "#")
	if file == "" {
		if !from.has(fragment) {
			return "", "", fmt.Errorf("this page has no heading #%s", fragment)
		}
		return "#" + fragment, "", nil
	}
	full := path.Join(from.dir(), file)
	switch full {
	case vocabularyFolder:
		return referenceOut, "", nil
	case examplesFolder:
		return ptxOut, "", nil
	}
	if to, ok := b.at[full]; ok {
		if !to.has(fragment) {
			return "", "", fmt.Errorf("%s has no heading #%s", to.source, fragment)
		}
		if fragment != "" {
			return to.out + "#" + fragment, "", nil
		}
		return to.out, "", nil
	}
	if from.exhibit.shows(full) {
		return from.out + "#" + path.Base(full), "", nil
	}
	if to, ok := b.at[path.Dir(full)]; ok && to.lesson != nil && path.Ext(full) == ".go" && exists(b.root, full) {
		return to.out + "#" + path.Base(full), "", nil
	}
	address, err = b.carry(from.dir(), file)
	return address, "", err
}

// carry copies a file of the repository to the site and returns its address.
func (b *builder) carry(dir, target string) (string, error) {
	full := path.Join(dir, target)
	if strings.HasPrefix(full, "..") {
		return "", fmt.Errorf("%s is outside of the repository", target)
	}
	data, err := b.file(full)
	if err != nil {
		return "", err
	}
	out := copied(full)
	b.files[out] = data
	return out, nil
}
