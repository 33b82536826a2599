/* Draws a scene file of the benchmark `raster` with OpenGL and prints the CPU time of a frame.
 *
 *     gcc -O2 glbench.c -o glbench -lEGL -lGL
 *     LP_NUM_THREADS=0 ./glbench s10k.bin 15
 *
 * Mesa's llvmpipe draws into a framebuffer object, without a window. LP_NUM_THREADS=0 keeps it on the calling
 * thread. The texture is tex256.raw in the working folder. Larger depths are nearer, as on the PowerVR2. */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 640, HEIGHT = 480, SIDE = 256, VERTEX = 24, WARM_UP = 3 };

static const char *VERTEX_SHADER =
    "#version 330 core\n"
    "layout(location=0) in vec3 p; layout(location=1) in vec2 t; layout(location=2) in vec4 c;\n"
    "out vec2 uv; out vec4 colour;\n"
    "void main() {\n"
    "  float w = 1.0 / p.z;\n"
    "  vec2 n = vec2(p.x / 320.0 - 1.0, p.y / 240.0 - 1.0);\n"
    "  gl_Position = vec4(n * w, (1.0 - 2.0 * p.z) * w, w);\n"
    "  uv = t; colour = c;\n"
    "}\n";
static const char *FRAGMENT_SHADER =
    "#version 330 core\n"
    "in vec2 uv; in vec4 colour; uniform sampler2D s; out vec4 o;\n"
    "void main() { o = texture(s, uv) * colour; }\n";

static void fail(const char *what) {
    fprintf(stderr, "glbench: %s\n", what);
    exit(1);
}

static double cpu(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The bytes of a file. */
static void *contents(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    if (!file) fail(name);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    void *bytes = malloc(*size);
    if (!bytes || fread(bytes, 1, *size, file) != *size) fail(name);
    fclose(file);
    return bytes;
}

/* An OpenGL context without a window. */
static void context(void) {
    PFNEGLGETPLATFORMDISPLAYEXTPROC display_of =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (!display_of) fail("EGL has no platform displays");
    EGLDisplay display = display_of(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, 0);
    if (!eglInitialize(display, 0, 0)) fail("EGL does not start");
    eglBindAPI(EGL_OPENGL_API);
    EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = 0;
    EGLint count = 0;
    eglChooseConfig(display, wanted, &config, 1, &count);
    EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    EGLContext made = eglCreateContext(display, count ? config : 0, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, made)) fail("no context");
}

static void attach(GLuint program, GLenum kind, const char *text) {
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, 0);
    glCompileShader(shader);
    GLint compiled;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) fail("a shader does not compile");
    glAttachShader(program, shader);
}

/* Targets, shaders, vertices and texture. */
static void prepare(const char *vertices, size_t size, const char *texels) {
    GLuint framebuffer, buffers[2], program = glCreateProgram(), array, vertex_buffer, texture;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers);
    GLenum formats[] = {GL_RGBA8, GL_DEPTH_COMPONENT24};
    GLenum places[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
    for (int n = 0; n < 2; n++) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[n]);
        glRenderbufferStorage(GL_RENDERBUFFER, formats[n], WIDTH, HEIGHT);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, places[n], GL_RENDERBUFFER, buffers[n]);
    }
    attach(program, GL_VERTEX_SHADER, VERTEX_SHADER);
    attach(program, GL_FRAGMENT_SHADER, FRAGMENT_SHADER);
    glLinkProgram(program);
    glUseProgram(program);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(1, &vertex_buffer);
    glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer);
    glBufferData(GL_ARRAY_BUFFER, size, vertices, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 3, GL_FLOAT, 0, VERTEX, (void *)0);
    glVertexAttribPointer(1, 2, GL_FLOAT, 0, VERTEX, (void *)12);
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, 1, VERTEX, (void *)20);
    for (int n = 0; n < 3; n++) glEnableVertexAttribArray(n);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glViewport(0, 0, WIDTH, HEIGHT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
}

int main(int count, char **arguments) {
    int frames = count > 2 ? atoi(arguments[2]) : 0;
    if (frames < 1) fail("usage: glbench SCENE.bin FRAMES");
    size_t size, texture_size;
    char *scene = contents(arguments[1], &size), *texels = contents("tex256.raw", &texture_size);
    unsigned head[4];
    if (size < sizeof head || texture_size < SIDE * SIDE * 4) fail("a file is too short");
    memcpy(head, scene, sizeof head);
    unsigned vertices = head[1] * 3, blend = head[2] & 1;
    if (size < sizeof head + (size_t)vertices * VERTEX) fail("the scene is too short");
    context();
    fprintf(stderr, "%s | %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
    prepare(scene + sizeof head, (size_t)vertices * VERTEX, texels);
    if (blend) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    }
    double *times = malloc(frames * sizeof *times);
    for (int n = -WARM_UP; n < frames; n++) {
        double start = cpu();
        glDepthMask(1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDepthMask(!blend);
        glDrawArrays(GL_TRIANGLES, 0, vertices);
        glFinish();
        if (n >= 0) times[n] = cpu() - start;
    }
    qsort(times, frames, sizeof *times, compare);
    printf("%s cpu ms/frame min %.2f med %.2f max %.2f\n", arguments[1], times[0], times[frames / 2],
           times[frames - 1]);
    return 0;
}
